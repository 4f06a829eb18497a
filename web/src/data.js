// Numbers of the page's data: blocks of whole numbers, deflated (src/linkwork/view/packing.py), and what they stand for.

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

async function inflated(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Channels of a block: numbers[channel * frames + frame]
export async function unpacked(block) {
  const { n, frames, planes, orders } = block;
  const bytes = await inflated(block.data);
  const count = n * frames;
  const out = new Float64Array(count);
  for (let c = 0; c < n; c++) {
    const start = c * frames;
    const order = orders.charCodeAt(c) - 48;
    let value = 0;
    let slope = 0;
    for (let k = 0; k < frames; k++) {
      let told = 0;
      for (let p = planes - 1; p >= 0; p--) told = told * 256 + bytes[p * count + start + k];
      const number = told % 2 === 1 ? -(told + 1) / 2 : told / 2;
      if (order === 0) value = number;
      else if (order === 1) value += number;
      else {
        slope += number;
        value += slope;
      }
      out[start + k] = value;
    }
  }
  return out;
}

// Curves of a block: an array of Float32Array, one for each channel
export async function curvesOf(block) {
  const whole = await unpacked(block);
  const curves = [];
  for (let c = 0; c < block.n; c++) {
    const low = block.low[c];
    const step = (block.high[c] - low) / block.steps;
    const values = new Float32Array(block.frames);
    for (let k = 0; k < block.frames; k++) {
      const number = whole[c * block.frames + k];
      const value = number > block.steps ? NaN : low + step * number;
      values[k] = block.log ? 10 ** value : value;
    }
    curves.push(values);
  }
  return curves;
}

export async function timesOf({ block, start, step }) {
  const whole = await unpacked(block);
  return whole.map((number) => start + number * step);
}

const TURN = Math.SQRT2 / (2 ** 19 - 1);

// position[3 * (frame * nb + body)], quaternion[4 * (frame * nb + body)], x, y, z, w
export async function posesOf(run, nb) {
  const whole = await unpacked(run.poses);
  const nt = run.poses.frames;
  const position = new Float32Array(3 * nt * nb);
  const quaternion = new Float32Array(4 * nt * nb);
  for (let b = 0; b < nb; b++) {
    const first = 7 * b * nt;
    for (let k = 0; k < nt; k++) {
      const p = 3 * (k * nb + b);
      for (let c = 0; c < 3; c++) position[p + c] = run.origin[c] + run.step * whole[first + c * nt + k];
      const q = 4 * (k * nb + b);
      const most = whole[first + 3 * nt + k];
      let rest = 1;
      let channel = 4;
      for (let c = 0; c < 4; c++) {
        if (c === most) continue;
        const value = TURN * whole[first + channel * nt + k];
        quaternion[q + c] = value;
        rest -= value * value;
        channel += 1;
      }
      quaternion[q + most] = Math.sqrt(Math.max(0, rest));
    }
  }
  return { position, quaternion };
}

export async function meshOf(mesh) {
  const whole = await unpacked(mesh.points);
  const n = mesh.points.frames;
  const points = new Float32Array(3 * n);
  for (let k = 0; k < n; k++) for (let c = 0; c < 3; c++) points[3 * k + c] = mesh.low[c] + mesh.step * whole[c * n + k];
  return { points, triangles: Uint32Array.from(await unpacked(mesh.triangles)) };
}

// The frame shown at a time: the last that is not later
export function frameAt(times, t) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The frame nearest to a time
export function nearestFrame(times, t) {
  const k = frameAt(times, t);
  return k + 1 < times.length && times[k + 1] - t < t - times[k] ? k + 1 : k;
}

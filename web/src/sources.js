// What can be plotted: curves over the frames of the first run, by name.
import { curvesOf, nearestFrame } from "./data.js";

export const PALETTE = ["#3f7fd0", "#e0802a", "#2f9e77", "#c25fa0", "#8a6fd1", "#b58a1e", "#4aa3b8", "#d0554f", "#6f8f3a", "#7d7d86"];
const XYZ = ["x", "y", "z"];
const HUES = ["#d0554f", "#2f9e77", "#3f7fd0"];

export function colourOf(k) {
  return PALETTE[k % PALETTE.length];
}

function length(values, k) {
  const [x, y, z] = values;
  return Math.hypot(x[k], y[k], z[k]);
}

function lengths(values) {
  return Float32Array.from(values[0], (_, k) => length(values, k));
}

export class Sources {
  constructor(data, runs) {
    this.data = data;
    this.runs = runs;
    this.nb = data.bodies.length;
    this.list = [];
  }

  get frames() { return this.runs[0].times.length; }

  // decodes what the first picture does not need
  async rest() {
    const run = this.data.runs[0];
    const [forces, torques] = await Promise.all(["forces", "torques"].map((key) => (run[key] ? curvesOf(run[key]) : null)));
    const three = (found, k) => found.slice(3 * k, 3 * k + 3);
    if (forces) {
      this.forces = this.data.joints.map((_, k) => three(forces, k));
      this.torques = this.data.joints.map((_, k) => three(torques, k));
    }
    this.loads = await Promise.all((run.loads ?? []).map(async (load) => ({ ...load, values: await curvesOf(load.block) })));
    if (run.speeds) [this.speeds, this.spins] = await Promise.all(run.speeds.map(curvesOf));
    const labels = this.data.runs.map((one) => one.label);
    const byName = new Map();
    for (let r = 0; r < this.data.runs.length; r++) {
      for (const one of this.data.runs[r].curves) {
        const [values] = await curvesOf(one.block);
        if (!byName.has(one.name)) byName.set(one.name, { ...one, runs: [] });
        byName.get(one.name).runs.push([r, this.inStep(r, values)]);
      }
    }
    this.general(byName, labels);
  }

  // values of run r at the frames of the first
  inStep(r, values) {
    if (r === 0) return values;
    const { times } = this.runs[r];
    return Float32Array.from(this.runs[0].times, (t) => values[nearestFrame(times, t)]);
  }

  general(byName, labels) {
    const add = (group, source) => this.list.push({ group, ...source });
    const energies = ["kinetic energy", "potential energy", "total energy"].filter((name) => byName.has(name));
    const several = labels.length > 1;
    const curvesFor = (name, k) => byName.get(name).runs.map(([r, values]) => ({
      name: several ? labels[r] : name, values, colour: several ? colourOf(r) : colourOf(k),
    }));
    if (energies.length && !several) {
      const curves = energies.map((name, k) => curvesFor(name, k)[0]);
      for (const curve of curves) curve.name = curve.name.replace(" energy", "");
      add("Run", { id: "energies", title: "Energy", unit: "J", curves });
    }
    if (several) for (const name of energies) add("Run", { id: name, title: name, unit: "J", curves: curvesFor(name, 0) });
    for (const [name, { unit, block }] of byName) {
      if (!energies.includes(name)) add("Run", { id: name, title: name, unit: block.log ? "" : unit, log: block.log, curves: curvesFor(name, 0) });
    }
    if (several) add("Run", this.distance(labels));
    if (this.speeds) {
      add("Bodies", { id: "speeds", title: "Speed of bodies", unit: "m/s", curves: this.largest(this.speeds, this.data.bodies) });
      add("Bodies", { id: "spins", title: "Angular speed of bodies", unit: "rad/s", curves: this.largest(this.spins, this.data.bodies) });
    }
    if (this.forces) {
      add("Joints", { id: "forces", title: "Reaction forces", unit: "N", curves: this.largest(this.forces.map(lengths), this.data.joints) });
      add("Joints", { id: "torques", title: "Reaction moments", unit: "N m", curves: this.largest(this.torques.map(lengths), this.data.joints) });
    }
  }

  // the six largest in colours, the others grey behind them
  largest(all, named) {
    const top = all.map((values) => values.reduce((most, v) => (v > most ? v : most), 0));
    const order = all.map((_, k) => k).sort((a, b) => top[b] - top[a]);
    const first = new Set(order.slice(0, 6));
    const coloured = order.slice(0, 6).map((k) => ({ name: named[k].name, values: all[k], colour: colourOf(k) }));
    const rest = order.filter((k) => !first.has(k)).slice(0, 60).map((k) => ({ name: named[k].name, values: all[k], colour: "#8a8a8a", faint: true }));
    return [...coloured, ...rest];
  }

  // how far bodies of the other runs are from those of the first, at most
  distance(labels) {
    const { nb } = this;
    const [first, ...others] = this.runs;
    const curves = others.map((run, r) => {
      const values = new Float32Array(this.frames);
      for (let k = 0; k < this.frames; k++) {
        const m = nearestFrame(run.times, first.times[k]);
        let most = 0;
        for (let b = 0; b < nb; b++) {
          const p = 3 * (k * nb + b);
          const q = 3 * (m * nb + b);
          const dx = first.position[p] - run.position[q], dy = first.position[p + 1] - run.position[q + 1], dz = first.position[p + 2] - run.position[q + 2];
          most = Math.max(most, dx * dx + dy * dy + dz * dz);
        }
        values[k] = Math.max(Math.sqrt(most), 1e-18);
      }
      return { name: labels[r + 1], values, colour: colourOf(r + 1) };
    });
    return { id: "distance", title: `Distance to ${labels[0]}`, unit: "m", log: true, curves };
  }

  ofBody(b) {
    const { nb, frames } = this;
    const { position } = this.runs[0];
    const name = this.data.bodies[b].name;
    const axis = (c) => Float32Array.from({ length: frames }, (_, k) => position[3 * (k * nb + b) + c]);
    const found = [{ id: `position ${b}`, title: `${name}: position`, unit: "m", curves: XYZ.map((x, c) => ({ name: x, values: axis(c), colour: HUES[c] })) }];
    if (this.speeds) {
      found.push({ id: `speed ${b}`, title: `${name}: speed`, unit: "m/s", curves: [{ name: "speed", values: this.speeds[b], colour: colourOf(b) }] });
      found.push({ id: `spin ${b}`, title: `${name}: angular speed`, unit: "rad/s", curves: [{ name: "ω", values: this.spins[b], colour: colourOf(b) }] });
    }
    return found;
  }

  ofJoint(j) {
    const { name } = this.data.joints[j];
    const found = [];
    if (this.forces) {
      const parts = (values, word) => [...XYZ.map((x, c) => ({ name: `${word}${x}`, values: values[c], colour: HUES[c] })), { name: `|${word}|`, values: lengths(values), colour: "#8a8a93" }];
      found.push({ id: `force ${j}`, title: `${name}: force`, unit: "N", curves: parts(this.forces[j], "F") });
      found.push({ id: `torque ${j}`, title: `${name}: moment`, unit: "N m", curves: parts(this.torques[j], "M") });
    }
    for (const coordinate of this.coordinates(j)) found.push({ id: `${coordinate.name} ${j}`, title: `${name}: ${coordinate.name}`, unit: coordinate.unit, curves: [{ ...coordinate, colour: colourOf(j) }] });
    const run = this.runs[0];
    if (run.rowTenths && this.data.joints[j].rows.length) {
      const curves = this.data.joints[j].rows.slice(0, 7).map((row, k) => ({
        name: this.data.rows[row].replace(`${name}.`, ""), colour: colourOf(k),
        values: Float32Array.from({ length: frames(run) }, (_, n) => 10 ** (run.rowTenths[row * frames(run) + n] / 10 - 18)),
      }));
      found.push({ id: `rows ${j}`, title: `${name}: violation`, unit: "", log: true, curves });
    }
    return found;
  }

  coordinates(j) {
    return this.data.joints[j].i ? this.data.joints[j].coordinates.map((name) => this.coordinate(j, name)) : [];
  }

  // angle or displacement of a joint over the frames, from its markers
  coordinate(j, name) {
    const joint = this.data.joints[j];
    const turning = name === "angle";
    const sliding = !turning;
    const { nb, frames: count } = this;
    const { position, quaternion } = this.runs[0];
    const values = new Float32Array(count);
    const turn = (k, b, v) => {
      if (b < 0) return v;
      const q = 4 * (k * nb + b);
      const [x, y, z, w] = quaternion.subarray(q, q + 4);
      const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
      return [v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx];
    };
    const at = (k, b, v) => {
      const r = turn(k, b, v);
      const p = 3 * (k * nb + b);
      return b < 0 ? r : [r[0] + position[p], r[1] + position[p + 1], r[2] + position[p + 2]];
    };
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let turns = 0;
    for (let k = 0; k < count; k++) {
      const z = turn(k, joint.first, joint.i.slice(6));
      if (sliding) {
        const a = at(k, joint.first, joint.i.slice(0, 3));
        const b = at(k, joint.second, joint.j.slice(0, 3));
        values[k] = dot([b[0] - a[0], b[1] - a[1], b[2] - a[2]], z);
        continue;
      }
      const x = turn(k, joint.first, joint.i.slice(3, 6));
      const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
      const other = turn(k, joint.second, joint.j.slice(3, 6));
      let angle = Math.atan2(dot(other, y), dot(other, x)) + 2 * Math.PI * turns;
      if (k) {
        const jump = Math.round((values[k - 1] - angle) / (2 * Math.PI));
        turns += jump;
        angle += 2 * Math.PI * jump;
      }
      values[k] = angle;
    }
    return turning ? { name: "angle", unit: "rad", values } : { name: "displacement", unit: "m", values };
  }
}

function frames(run) {
  return run.times.length;
}

// Curves under the scene; their cursor is the time bar: dragging over a plot moves the time.
import { el, told } from "./dom.js";
import { nearestFrame } from "./data.js";

const HEIGHT = 112;
const LEFT = 58;
const MOST = 3;

export class Plots {
  constructor(clock, colours) {
    this.clock = clock;
    this.colours = colours;
    this.root = el("div", { id: "plots" });
    this.open = [];
  }

  // source: {id, title, unit, log, curves: [{name, values, colour}], times}
  show(source, pinned = false) {
    if (this.open.some((plot) => plot.source.id === source.id)) return;
    if (this.open.length >= MOST) this.close(this.open.find((plot) => !plot.pinned) ?? this.open[0]);
    const canvas = el("canvas");
    const legend = el("div", { class: "legend" });
    const close = el("button", { class: "close", title: "Close this plot", "aria-label": `Close ${source.title}`, onclick: () => this.close(plot) }, "×");
    const root = el("div", { class: "plot", "data-plot": source.id }, canvas, legend, close);
    const plot = { source, canvas, legend, root, pinned };
    const scrub = (event) => {
      const box = canvas.getBoundingClientRect();
      const share = (event.clientX - box.left - LEFT) / Math.max(1, box.width - LEFT - 10);
      const { start, end } = this.clock;
      this.clock.playing = false;
      this.clock.seek(nearestFrame(this.clock.times, start + Math.max(0, Math.min(1, share)) * (end - start)));
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      scrub(event);
    });
    canvas.addEventListener("pointermove", (event) => event.buttons && scrub(event));
    this.open.push(plot);
    this.root.append(root);
    this.onchange?.();
    this.draw(plot);
  }

  close(plot) {
    this.open = this.open.filter((one) => one !== plot);
    plot.root.remove();
    this.onchange?.();
  }

  drawAll() {
    for (const plot of this.open) this.draw(plot);
  }

  // lines are drawn when something but the time changes, and kept as a picture
  draw(plot) {
    const { canvas, source } = plot;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight || HEIGHT;
    if (!width) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const back = document.createElement("canvas");
    back.width = canvas.width;
    back.height = canvas.height;
    const pen = back.getContext("2d");
    pen.scale(ratio, ratio);
    const [low, high] = limits(source);
    const colours = this.colours();
    const area = { left: LEFT, top: 22, width: width - LEFT - 10, height: height - 22 - 18 };
    const y = (value) => area.top + area.height * (1 - ((source.log ? Math.log10(Math.max(value, 1e-18)) : value) - low) / (high - low));
    const { start, end } = this.clock;
    const x = (time) => area.left + (area.width * (time - start)) / (end - start || 1);
    pen.font = "11px system-ui, sans-serif";
    pen.textBaseline = "middle";
    for (const value of ticks(low, high, source.log ? 3 : 4, source.log)) {
      const at = area.top + area.height * (1 - (value - low) / (high - low));
      pen.strokeStyle = colours.gridThin;
      pen.beginPath();
      pen.moveTo(area.left, at);
      pen.lineTo(area.left + area.width, at);
      pen.stroke();
      pen.fillStyle = colours.quiet;
      pen.textAlign = "right";
      pen.fillText(source.log ? `1e${Math.round(value)}` : told(value), area.left - 6, at);
    }
    pen.textBaseline = "top";
    pen.textAlign = "center";
    const most = Math.max(2, Math.floor(area.width / 90));
    for (const value of ticks(start, end, most)) {
      pen.fillStyle = colours.quiet;
      pen.fillText(`${told(value)} s`, Math.min(x(value), area.left + area.width - 14), area.top + area.height + 4);
    }
    pen.lineWidth = 1.4;
    pen.lineJoin = "round";
    pen.save();
    pen.beginPath();
    pen.rect(area.left, area.top - 2, area.width, area.height + 4);
    pen.clip();
    for (const curve of source.curves) {
      pen.strokeStyle = curve.colour;
      pen.globalAlpha = curve.faint ? 0.35 : 1;
      line(pen, source.times ?? this.clock.times, curve.values, x, y, area.width);
    }
    pen.restore();
    Object.assign(plot, { back, area, x, y, ratio });
    this.cursor(plot);
  }

  cursor(plot) {
    if (!plot.back) return this.draw(plot);
    const { canvas, back, area, x, ratio, source, legend } = plot;
    const pen = canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(back, 0, 0);
    pen.scale(ratio, ratio);
    const colours = this.colours();
    const at = x(this.clock.times[this.clock.frame]);
    pen.strokeStyle = colours.accent;
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.moveTo(at, area.top - 2);
    pen.lineTo(at, area.top + area.height + 3);
    pen.stroke();
    const items = [el("b", {}, source.title)];
    for (const curve of source.curves.slice(0, 7)) {
      const value = curve.values[this.clock.frame];
      items.push(el("span", {}, el("i", { style: `background:${curve.colour}` }), `${curve.name} ${told(value, source.unit)}`));
    }
    if (source.curves.length > 7) items.push(el("span", {}, `and ${source.curves.length - 7} more`));
    legend.replaceChildren(...items);
  }

  cursors() {
    for (const plot of this.open) this.cursor(plot);
  }
}

function limits(source) {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of source.curves) {
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      const seen = source.log ? Math.log10(Math.max(value, 1e-18)) : value;
      if (seen < low) low = seen;
      if (seen > high) high = seen;
    }
  }
  if (!(low <= high)) return [0, 1];
  if (source.log) return [Math.floor(low), Math.max(Math.ceil(high), Math.floor(low) + 1)];
  const room = Math.max((high - low) * 0.06, Math.abs(high) * 1e-9, 1e-15);
  return [low - room, high + room];
}

function ticks(low, high, most, whole = false) {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough || 1));
  let step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough) ?? rough;
  if (whole) step = Math.max(1, Math.ceil(step));
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step && found.length < 40; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

// the smallest and largest value of each column of pixels
function line(pen, times, values, x, y, width) {
  pen.beginPath();
  const n = values.length;
  if (n <= 2 * width) {
    let down = false;
    for (let k = 0; k < n; k++) {
      if (!Number.isFinite(values[k])) { down = false; continue; }
      if (down) pen.lineTo(x(times[k]), y(values[k]));
      else pen.moveTo(x(times[k]), y(values[k]));
      down = true;
    }
  } else {
    let k = 0;
    let first = true;
    while (k < n) {
      const column = Math.floor(x(times[k]));
      let low = Infinity, high = -Infinity, last = NaN;
      const begin = values[k];
      while (k < n && Math.floor(x(times[k])) === column) {
        const value = values[k++];
        if (!Number.isFinite(value)) continue;
        if (value < low) low = value;
        if (value > high) high = value;
        last = value;
      }
      if (low > high) continue;
      if (first) pen.moveTo(column, y(begin));
      first = false;
      pen.lineTo(column, y(low));
      pen.lineTo(column, y(high));
      pen.lineTo(column, y(last));
    }
  }
  pen.stroke();
}

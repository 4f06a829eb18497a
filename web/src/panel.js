// The panel: what is chosen with its values at the cursor, what is shown, what can be plotted, and notes.
import { el, told } from "./dom.js";
import { colourOf } from "./sources.js";

export const LAYERS = [
  ["bodies", "Bodies"], ["joints", "Joints"], ["axes", "Joint axes"], ["frames", "Body frames"],
  ["com", "Centres of mass"], ["forces", "Loads, drivers"], ["reactions", "Reactions"], ["trails", "Trails"],
  ["names", "Names"], ["grid", "Grid"], ["shadows", "Shadows"], ["ghosts", "Ghosts"],
];

const MOST_NAMES = 400; // in a list of the panel

export class Panel {
  constructor(viewer, root) {
    this.viewer = viewer;
    this.root = root;
    const { data } = viewer;
    this.chosen = el("section", { id: "chosen" });
    this.layers = el("div", { class: "layers" });
    for (const [key, title] of LAYERS) {
      if (key === "ghosts" && data.runs.length < 2) continue;
      const box = el("input", { type: "checkbox", checked: viewer.layers[key], "data-layer": key, onchange: () => viewer.layer(key, box.checked) });
      this.layers.append(el("label", {}, box, title));
    }
    this.pick = el("select", { id: "pick", "aria-label": "Add a plot", onchange: () => this.plot() }, el("option", { value: "" }, "Add a plot ..."));
    const list = (title, kind, items) => items.length ? el("section", {}, el("h2", {}, `${title} (${items.length})`), el("ul", { class: "names" },
      ...items.slice(0, MOST_NAMES).map(([item, k]) => el("li", {}, el("button", { "data-pick": `${kind} ${k}`, onclick: () => viewer.select({ kind, k }) },
        el("i", { style: `background:${kind === "body" ? viewer.bodyColour(k) : "var(--glyph)"}` }),
        el("span", { class: "name" }, item.name), el("small", {}, item.type ?? ""),
        ...(data.redundant.includes(item.name) ? [el("small", { class: "redundant", title: "Rows of others imply some of its rows: its reactions are not unique" }, "redundant")] : []))))),
      items.length > MOST_NAMES ? el("p", { class: "quiet" }, `... ${items.length - MOST_NAMES} more: click them`) : "") : "";
    const bodies = data.bodies.map((item, k) => [item, k]);
    const rows = data.joints.map((item, k) => [item, k]); // drivers and raw constraints have reactions, too
    const ofKind = (kind) => rows.filter(([item]) => item.kind === kind);
    root.append(
      this.chosen,
      el("section", {}, el("h2", {}, "Show"), this.layers),
      this.plottable = el("section", {}, el("h2", {}, "Plots"), this.pick),
      this.violation(),
      list("Bodies", "body", bodies),
      list("Joints", "joint", ofKind("joint")),
      list("Drivers", "joint", ofKind("driver")),
      list("Raw constraints", "joint", ofKind("constraint")),
      this.notes(),
    );
  }

  violation() {
    const { viewer } = this;
    if (!viewer.data.rows.length || !viewer.data.runs[0].rows) return "";
    const shown = el("output", {}, "1e−6");
    const slider = el("input", { type: "range", min: "-14", max: "-1", step: "1", value: "-6", "aria-label": "Violation from which a joint is red", oninput: () => {
      viewer.tolerance = 10 ** Number(slider.value);
      shown.textContent = `1e−${-Number(slider.value)}`;
      viewer.repaint();
    } });
    this.red = el("p", { class: "quiet" });
    return el("section", { class: "violation" }, el("h2", {}, "Red where violated by more than ", shown), slider, this.red);
  }

  notes() {
    const { data } = this.viewer;
    const run = data.runs[0];
    const lines = [];
    if (data.description) lines.push(data.description);
    for (const one of data.runs) {
      const method = Object.entries(one.method ?? {}).map(([key, value]) => `${key.replace("linkwork_version", "linkwork")} ${value}`).join(", ");
      if (method) lines.push(`${data.runs.length > 1 ? `${one.label}: ` : ""}${method}`);
    }
    const frames = run.poses.frames;
    lines.push(`${frames} ${frames === 1 ? "frame" : "frames"}; points are shown to ${told(data.error)} m, ${told(data.relative_error)} of the mechanism's size.`);
    return el("section", { id: "notes" }, el("h2", {}, "Notes"), ...[...lines, ...data.notes].map((line) => el("p", { class: "quiet" }, line)));
  }

  // the plots there are, once they are known
  sources(list) {
    const groups = new Map();
    for (const source of list) {
      if (!groups.has(source.group)) groups.set(source.group, el("optgroup", { label: source.group }));
      groups.get(source.group).append(el("option", { value: source.id }, source.title));
    }
    this.pick.append(...groups.values());
    this.plottable.hidden = list.length === 0;
  }

  plot() {
    const source = this.viewer.sources.list.find((one) => one.id === this.pick.value);
    if (source) this.viewer.plots.show(source, true);
    this.pick.value = "";
  }

  tick(name, on) {
    const box = this.layers.querySelector(`[data-layer="${name}"]`);
    if (box) box.checked = on;
  }

  // values of what is chosen at the cursor
  show() {
    const { viewer } = this;
    const { selected, data, sources } = viewer;
    for (const one of this.root.querySelectorAll("[data-pick].on")) one.classList.remove("on");
    if (!selected) {
      this.chosen.replaceChildren(el("p", { class: "quiet" }, "Click a body or a joint: its values and plots appear here. Shift and click: the trail of that point."));
      return;
    }
    const { kind, k } = selected;
    this.root.querySelector(`[data-pick="${kind} ${k}"]`)?.classList.add("on");
    const item = kind === "body" ? data.bodies[k] : data.joints[k];
    const rows = [];
    if (kind === "body") {
      if (item.mass !== null) rows.push(["mass", told(item.mass, "kg")]);
    } else {
      const name = (b) => (b < 0 ? "ground" : data.bodies[b].name);
      rows.push(["type", item.type], ["between", `${name(item.first)} and ${name(item.second)}`]);
      if (data.redundant.includes(item.name)) rows.push(["redundant", "some of its rows follow from others; its reactions are not unique"]);
    }
    const frame = viewer.clock.frame;
    this.cells = [];
    const mine = viewer.ready ? (kind === "body" ? sources.ofBody(k) : sources.ofJoint(k)) : [];
    for (const source of mine) {
      const plot = el("button", { class: "mini", title: `Plot ${source.title}`, onclick: () => viewer.plots.show(source, true) }, "plot");
      rows.push([el("span", {}, source.title.slice(item.name.length + 2), " ", plot), ""]);
      for (const curve of source.curves) {
        const cell = el("td", {}, told(curve.values[frame], source.unit));
        this.cells.push({ cell, curve, unit: source.unit });
        rows.push([curve.name, cell]);
      }
    }
    const table = el("table", {}, ...rows.map(([a, b]) => el("tr", {}, el("th", {}, a), b instanceof HTMLElement && b.tagName === "TD" ? b : el("td", {}, b))));
    const mark = el("i", { style: `background:${kind === "body" ? viewer.bodyColour(k) : "var(--glyph)"}` });
    const away = el("button", { class: "mini", title: "Choose nothing (Esc)", onclick: () => viewer.select(null) }, "×");
    this.chosen.replaceChildren(el("h2", { class: "chosen" }, mark, el("span", {}, item.name), away), table);
  }

  values() {
    const { frame } = this.viewer.clock;
    if (this.viewer.selected) for (const { cell, curve, unit } of this.cells ?? []) cell.textContent = told(curve.values[frame], unit);
    if (this.red) {
      const bad = this.viewer.violated ?? [];
      this.red.textContent = bad.length ? `${bad.slice(0, 6).join(", ")}${bad.length > 6 ? ` and ${bad.length - 6} more` : ""}` : "no row here";
      this.red.classList.toggle("alarm", bad.length > 0);
    }
  }
}

export { colourOf };

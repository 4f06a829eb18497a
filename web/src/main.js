// The page: reads its data, puts everything together, and keeps drawing what has changed.
import { Clock, SPEEDS } from "./clock.js";
import { meshOf, nearestFrame, posesOf, timesOf } from "./data.js";
import { el, told } from "./dom.js";
import { button, icon, layout } from "./layout.js";
import { Panel } from "./panel.js";
import { Plots } from "./plots.js";
import { Sources } from "./sources.js";
import { Stage } from "./stage.js";
import { Viewer } from "./viewer.js";

const LIGHT = {
  sky: "#f4f5f7", gridThin: "#dcdfe4", gridThick: "#c3c8d0", quiet: "#69707c", accent: "#f08a00", alarm: "#d81e1e", glyph: "#646a76",
  rail: "#b4b9c2", spring: "#7c828e", driver: "#1f9d55", force: "#c026d3", torque: "#7c3aed", load: "#0f9d58", com: "#111418",
  redundant: "#9b51e0", bounce: "#8d8d99", shadow: 0.16, mark: "#ffffff",
};
const DARK = {
  sky: "#14171c", gridThin: "#272c34", gridThick: "#3a414c", quiet: "#98a1af", accent: "#ffae42", alarm: "#ff5252", glyph: "#c3c9d3",
  rail: "#6c7480", spring: "#aab1bd", driver: "#3ecf83", force: "#f078ff", torque: "#b18cff", load: "#45d98c", com: "#f5f7fa",
  redundant: "#c58bff", bounce: "#50535c", shadow: 0.42, mark: "#ffffff",
};
const KEYS = [
  ["Space", "play, pause"], ["← →", "one frame; with Shift ten"], ["Home, End", "first, last frame"], ["+ −", "faster, slower"],
  ["L", "loop"], ["P", "plan or space"], ["O", "orthographic or perspective"], ["F", "fit"], ["J A C R N T G S", "joints, axes, centres of mass, reactions, names, trails, grid, shadows"],
  ["D", "light or dark"], ["Esc", "choose nothing"], ["?", "these keys"],
];

async function open() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const nb = data.bodies.length;
  const [runs, meshes] = await Promise.all([
    Promise.all(data.runs.map(async (run) => ({ label: run.label, times: await timesOf(run.time), ...(await posesOf(run, nb)) }))),
    Promise.all(data.meshes.map(meshOf)),
  ]);
  const parts = layout(data);
  const { app, canvas, foot, tools } = parts;
  let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const colours = () => (theme === "dark" ? DARK : LIGHT);
  const stage = new Stage(canvas, data, nb <= 200);
  const sources = new Sources(data, runs);
  const viewer = new Viewer(data, runs, meshes, stage, sources);
  const clock = new Clock(runs[0].times, () => { dirty = true; });
  let dirty = true;
  viewer.clock = clock;
  viewer.colours = colours();
  const plots = new Plots(clock, colours);
  viewer.plots = plots;
  const bar = timeBar(clock, runs);
  foot.append(plots.root, bar.root);
  const panel = new Panel(viewer, parts.panel);
  viewer.panel = panel;
  viewer.onvalues = () => panel.values();
  let chosenPlot = null;
  viewer.onselect = (what) => {
    panel.show();
    if (!what || !viewer.ready) return;
    const [first] = what.kind === "body" ? sources.ofBody(what.k) : sources.ofJoint(what.k);
    if (!first || clock.still) return;
    if (chosenPlot) plots.open.filter((plot) => plot.source.id === chosenPlot && !plot.pinned).forEach((plot) => plots.close(plot));
    chosenPlot = first.id;
    plots.show(first);
  };
  plots.onchange = () => requestAnimationFrame(() => { stage.resize(); stage.draw(); plots.drawAll(); });

  const paint = (name) => {
    theme = name;
    document.documentElement.dataset.theme = name;
    viewer.theme(colours());
    plots.drawAll();
  };
  const plan = () => { stage.look(!stage.plan); marks(); };
  const flat = () => { stage.flat = !(stage.camera === stage.orthographic); stage.look(false); marks(); };
  const fit = () => stage.look(stage.plan);
  const help = () => { parts.keys.hidden = !parts.keys.hidden; };
  const side = () => { app.classList.toggle("panel"); app.classList.toggle("nopanel"); requestAnimationFrame(resized); };
  const buttons = {
    plan: button("Look straight at the plane of motion, or from an angle (P)", "Plan", plan),
    flat: button("Orthographic or perspective (O)", "Ortho", flat),
    fit: button("Show everything (F)", "Fit", fit),
    reactions: button("Reaction forces and moments (R)", "Reactions", () => toggle("reactions")),
    theme: button("Light or dark (D)", "◐", () => paint(theme === "dark" ? "light" : "dark")),
    save: button("Save this picture", "⤓", picture),
    help: button("Keys (?)", "?", help),
    side: button("Panel", "☰", side),
  };
  tools.append(...Object.values(buttons));
  if (!data.runs[0].forces) buttons.reactions.hidden = true;
  parts.keys.hidden = true;
  parts.keys.append(el("table", {}, ...KEYS.map(([key, words]) => el("tr", {}, el("th", {}, key), el("td", {}, words)))));
  const bad = data.runs.map((run) => run.standing).filter((text) => text && text !== "good");
  if (bad.length) {
    parts.standing.hidden = false;
    parts.standing.textContent = [...new Set([...bad, ...data.runs.flatMap((run) => run.words ?? [])])].join("  ·  ").slice(0, 400);
  }
  parts.scale.textContent = `1 square = ${told(stage.cell, "m")}`;

  function marks() {
    buttons.plan.classList.toggle("on", stage.plan);
    buttons.flat.classList.toggle("on", stage.camera === stage.orthographic);
    buttons.reactions.classList.toggle("on", viewer.layers.reactions);
  }
  function toggle(layer) {
    viewer.layer(layer, !viewer.layers[layer]);
    marks();
  }
  function picture() {
    stage.draw();
    canvas.toBlob((blob) => {
      const link = el("a", { href: URL.createObjectURL(blob), download: `${data.name}.png` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }
  function resized() {
    stage.resize();
    if (stage.plan !== undefined && !moved) stage.look(stage.plan);
    stage.draw(); // a canvas that changes its size is empty until it is drawn
    plots.drawAll();
  }
  let moved = false;
  canvas.addEventListener("pointerdown", () => { moved = true; });
  canvas.addEventListener("wheel", () => { moved = true; }, { passive: true });
  new ResizeObserver(resized).observe(canvas);

  // a click that does not drag picks
  let down = null;
  canvas.addEventListener("pointerdown", (event) => { down = [event.offsetX, event.offsetY]; });
  canvas.addEventListener("pointerup", (event) => {
    if (!down || Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) > 4) return;
    const hit = stage.pick(event.offsetX, event.offsetY, viewer.solids.targets());
    if (!hit) return viewer.select(null);
    const { part } = hit.object.userData.instances[hit.object.numberOf(hit)];
    if (event.shiftKey && part.body >= 0) return viewer.addTrail(part.body, local(part.body, hit.point));
    return viewer.select({ kind: part.role === "body" || part.role === "mark" ? "body" : "joint", k: part.of });
  });
  function local(body, point) {
    const m = viewer.solids.matrices.subarray(12 * body, 12 * body + 12);
    const d = [point.x - m[3], point.y - m[7], point.z - m[11]];
    return [0, 1, 2].map((c) => m[c] * d[0] + m[4 + c] * d[1] + m[8 + c] * d[2]);
  }

  const letters = { j: "joints", a: "axes", c: "com", r: "reactions", n: "names", t: "trails", g: "grid", s: "shadows" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const tag = event.target.tagName;
    if (tag === "SELECT" || (tag === "INPUT" && event.target.type !== "range" && event.target.type !== "checkbox")) return;
    const { key } = event;
    const many = event.shiftKey ? 10 : 1;
    const acts = {
      " ": () => clock.toggle(), ArrowLeft: () => clock.step(-many), ArrowRight: () => clock.step(many),
      Home: () => clock.seek(0), End: () => clock.seek(clock.times.length - 1), "+": () => clock.faster(1), "=": () => clock.faster(1),
      "-": () => clock.faster(-1), l: () => { clock.loop = !clock.loop; dirty = true; }, p: plan, o: flat, f: fit, "?": help,
      d: () => paint(theme === "dark" ? "light" : "dark"), Escape: () => { parts.keys.hidden = true; viewer.select(null); },
    };
    const act = acts[key] ?? acts[key.toLowerCase()] ?? (letters[key.toLowerCase()] && (() => toggle(letters[key.toLowerCase()])));
    if (!act) return;
    event.preventDefault();
    act();
  });

  document.documentElement.dataset.theme = theme;
  viewer.theme(colours());
  stage.resize();
  stage.look(data.plane !== null);
  marks();
  panel.show();

  let last = performance.now();
  const shown = { drawn: 0 };
  function frame(now) {
    clock.tick(Math.min(0.25, (now - last) / 1000));
    last = now;
    if (dirty) {
      dirty = false;
      viewer.update();
      plots.cursors();
      bar.show();
      panel.values();
    }
    if (stage.changed) {
      stage.changed = false;
      stage.draw();
      viewer.placeLabels(parts.labels);
      compass(parts.compass, stage.compass(), colours());
      shown.drawn += 1;
    }
    requestAnimationFrame(frame);
  }
  viewer.update();
  stage.draw();
  performance.mark("first-frame");
  requestAnimationFrame(frame);

  await viewer.rest();
  panel.sources(sources.list);
  panel.show();
  if (data.runs[0].forces) marks();
  const start = sources.list.find((source) => source.id === "distance") ?? sources.list[0];
  if (start && !clock.still) plots.show(start, true);
  viewer.update();
  return { data, clock, viewer, stage, plots, shown, sources, runs, nearestFrame };
}

function timeBar(clock, runs) {
  const play = button("Play or pause (Space)", icon("play"), () => clock.toggle(), { id: "play" });
  const loop = button("Loop (L)", icon("loop"), () => { clock.loop = !clock.loop; show(); });
  const slider = el("input", { id: "time", type: "range", min: "0", max: String(Math.max(1, clock.times.length - 1)), step: "1", value: "0", "aria-label": "Time",
    oninput: () => { clock.playing = false; clock.seek(Number(slider.value)); } });
  const speed = el("select", { id: "speed", "aria-label": "Speed", onchange: () => { clock.speed = Number(speed.value); speed.blur(); } },
    ...SPEEDS.map((s) => el("option", { value: String(s), selected: s === 1 }, `${s}×`)));
  const time = el("output", { id: "now" });
  const root = el("div", { id: "bar" },
    button("First frame (Home)", icon("first"), () => clock.seek(0)),
    button("One frame back (←)", icon("back"), () => clock.step(-1)), play,
    button("One frame on (→)", icon("forth"), () => clock.step(1)), loop, slider, time, speed);
  root.hidden = clock.still;
  let playing = null;
  function show() {
    if (playing !== clock.playing) {
      playing = clock.playing;
      play.replaceChildren(icon(playing ? "pause" : "play"));
    }
    slider.value = String(clock.frame);
    speed.value = String(clock.speed);
    loop.classList.toggle("on", clock.loop);
    const digits = clock.end - clock.start > 100 ? 2 : clock.end - clock.start < 0.1 ? 5 : 3;
    time.textContent = `${clock.times[clock.frame].toFixed(digits)} s`;
    time.title = `frame ${clock.frame + 1} of ${runs[0].times.length}`;
  }
  return { root, show };
}

const SVG = "http://www.w3.org/2000/svg";

// axes and gravity as the camera sees them
function compass(root, { x, y, z, g }, colours) {
  const arms = [["x", x, "#d8433c"], ["y", y, "#2f9e44"], ["z", z, "#2f6fd8"]];
  if (g) arms.push(["g", g, colours.quiet]);
  arms.sort((a, b) => a[1].z - b[1].z);
  root.replaceChildren();
  for (const [name, way, colour] of arms) {
    const size = name === "g" ? 34 : 28;
    const line = document.createElementNS(SVG, "line");
    for (const [key, value] of Object.entries({ x1: 0, y1: 0, x2: size * way.x, y2: -size * way.y, stroke: colour, "stroke-width": name === "g" ? 1.6 : 2.4, "stroke-linecap": "round" })) line.setAttribute(key, value);
    if (name === "g") line.setAttribute("stroke-dasharray", "3 3");
    const text = document.createElementNS(SVG, "text");
    for (const [key, value] of Object.entries({ x: (size + 8) * way.x, y: -(size + 8) * way.y, fill: colour, "text-anchor": "middle", "dominant-baseline": "central" })) text.setAttribute(key, value);
    text.textContent = name;
    if (Math.hypot(way.x, way.y) > 0.18) root.append(line, text);
  }
}

window.linkwork = open().catch((error) => {
  const wait = document.getElementById("wait") ?? document.getElementById("app");
  wait.textContent = `The page could not be opened: ${error.message}`;
  throw error;
});

// The page's elements: header, canvas, panel, plots, time bar.
import { el } from "./dom.js";

const ICONS = {
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M4 2.5h3v11H4zM9.5 2.5h3v11h-3z",
  back: "M11 2.5v11L4.5 8zM2.8 2.5h1.6v11H2.8z",
  forth: "M5 2.5v11L11.5 8zM11.6 2.5h1.6v11h-1.6z",
  first: "M2.5 2.5h1.8v11H2.5zM13.5 2.5v11L5 8z",
  loop: "M8 2.2a5.8 5.8 0 0 1 5 2.9V3.2h1.5v4.6H9.9V6.3h2A4.3 4.3 0 1 0 12.3 8.7h1.5A5.8 5.8 0 1 1 8 2.2z",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

export function button(title, content, onclick, more = {}) {
  return el("button", { title, "aria-label": title, onclick, ...more }, content);
}

export function layout(data) {
  const app = document.getElementById("app");
  const canvas = el("canvas", { id: "scene", tabindex: "0", "aria-label": "The mechanism in three dimensions" });
  const labels = el("div", { id: "labels", "aria-hidden": "true" });
  const compass = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  compass.id = "compass";
  compass.setAttribute("viewBox", "-50 -50 100 100");
  const scale = el("div", { id: "scale" });
  const standing = el("div", { id: "standing", hidden: true });
  const keys = el("div", { id: "keys" });
  const stage = el("div", { id: "stage" }, canvas, labels, compass, scale, standing, keys);
  const method = data.runs.map((run) => run.label).join("  ·  ");
  const tools = el("div", { id: "tools" });
  const head = el("header", {}, el("h1", { title: data.description || data.name }, data.name), el("span", { id: "method" }, method), tools);
  const panel = el("aside", { id: "panel" });
  const foot = el("footer", {});
  app.replaceChildren(head, el("main", {}, stage, panel), foot);
  return { app, canvas, labels, compass, scale, standing, keys, stage, tools, panel, foot };
}

// A mechanism on its stage: what is drawn of it at a frame, and what is chosen.
import { BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial, Vector3 } from "three";
import { Color } from "three";
import { el, short } from "./dom.js";
import { nearestFrame, unpacked } from "./data.js";
import { Arrows, Between } from "./moving.js";
import { Solids } from "./solids.js";
import { colourOf } from "./sources.js";

const FIELDS = ["body", "kind", "size", "position", "quaternion", "colour", "role", "of"];
const ALONG_X = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
const ALONG_Y = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
const WHOLE = [0, 0, 0, 1];
const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const MANY = 200; // bodies, beyond which shadows and smooth edges are left out

function good(colour) {
  return colour && (HEX.test(colour) || colour.toLowerCase() in Color.NAMES) ? colour : "";
}

// x, y, z, w of the frame with these x and z directions
function turnOf(x, z) {
  const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
  const t = x[0] + y[1] + z[2];
  let q;
  if (t > 0) q = [y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + t];
  else if (x[0] > y[1] && x[0] > z[2]) q = [1 + x[0] - y[1] - z[2], x[1] + y[0], z[0] + x[2], y[2] - z[1]];
  else if (y[1] > z[2]) q = [x[1] + y[0], 1 + y[1] - x[0] - z[2], y[2] + z[1], z[0] - x[2]];
  else q = [z[0] + x[2], y[2] + z[1], 1 + z[2] - x[0] - y[1], x[1] - y[0]];
  const size = Math.hypot(...q);
  return q.map((c) => c / size);
}

export class Viewer {
  constructor(data, runs, meshes, stage, sources) {
    Object.assign(this, { data, runs, stage, sources });
    this.nb = data.bodies.length;
    this.tolerance = 1e-6;
    this.selected = null;
    const few = this.nb <= MANY;
    this.layers = {
      bodies: true, joints: true, axes: false, frames: false, com: false, forces: true, reactions: false, trails: false,
      names: false, grid: true, ghosts: true, shadows: stage.shadowsOn,
    };
    const parts = data.parts.map((values) => Object.fromEntries(FIELDS.map((key, k) => [key, values[k]])));
    const detail = few ? 30 : 8;
    this.solids = new Solids(stage, [...parts, ...this.marks()], meshes, { nb: this.nb, detail });
    const own = parts.filter((part) => part.role === "body");
    this.ghosts = runs.slice(1).map((_, r) => {
      const ghost = new Solids(stage, own.map((part) => ({ ...part, role: `ghost ${r}` })), meshes, { nb: this.nb, opacity: 0.38, detail });
      ghost.paint(() => colourOf(r + 1));
      return ghost;
    });
    this.springs = new Between(stage, "coil", data.springs.length, "#8b8f98");
    this.rods = new Between(stage, "cylinder", data.rods.length, "#9a9aa2");
    this.trailLines = new Map();
    for (const [name, point] of data.trails) this.addTrail(data.bodies.findIndex((b) => b.name === name), point);
    this.labels = [];
    for (const role of ["axis", "frame", "com"]) this.solids.show(role, false);
  }

  get r() { return this.data.rod; }

  bodyColour(k) {
    const own = this.data.parts.find((part) => part[6] === "body" && part[7] === k && good(part[5]));
    return own ? own[5] : colourOf(k);
  }

  // axes, frames, centres of mass, drivers, torsion springs, redundant joints
  marks() {
    const { data, r } = this;
    const found = [];
    const part = (body, kind, size, position, quaternion, role, of) => found.push({ body, kind, size, position, quaternion, colour: "", role, of });
    const length = 0.1 * data.size;
    for (let b = 0; b < this.nb; b++) {
      part(b, "sphere", [1.1 * r], [0, 0, 0], WHOLE, "com", b);
      [ALONG_X, ALONG_Y, WHOLE].forEach((turned, c) => {
        const at = [0, 0, 0];
        at[c] = length / 2;
        part(b, "cylinder", [0.3 * r, length], at, turned, "frame", c);
      });
    }
    data.joints.forEach((joint, j) => {
      if (!joint.i) return;
      const on = joint.second >= 0 ? [joint.second, joint.j] : [joint.first, joint.i];
      const [body, marker] = on;
      const place = marker.slice(0, 3);
      const turned = turnOf(marker.slice(3, 6), marker.slice(6));
      if (!["", "ball", "weld", "rod"].includes(joint.glyph)) part(body, "cylinder", [0.22 * r, 14 * r], place, turned, "axis", j);
      if (data.redundant.includes(joint.name)) part(body, "ring", [3.6 * r, 3.6 * r, 3.6 * r], place, turned, "joint", j);
      for (const torsion of data.torsions) if (torsion.joint === joint.name) part(body, "ring", [3 * r, 3 * r, 3 * r], place, turned, "torsion", j);
      for (const driver of data.drivers) {
        if (driver.joint !== joint.name) continue;
        const base = turnOf(joint.i.slice(3, 6), joint.i.slice(6));
        const at = joint.i.slice(0, 3);
        const slides = (driver.coordinate || joint.coordinates[0]) === "displacement";
        if (slides) {
          const z = joint.i.slice(6);
          part(joint.first, "cone", [1.9 * r, 4.2 * r], at.map((c, k) => c + 6 * r * z[k]), base, "driver", j);
        } else {
          part(joint.first, "turn", [5 * r, 5 * r, 5 * r], at, base, "driver", j);
          const angle = 1.45 * Math.PI;
          const x = joint.i.slice(3, 6), z = joint.i.slice(6);
          const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
          const mix = (a, b2) => x.map((c, k) => a * c + b2 * y[k]);
          const tangent = mix(-Math.sin(angle), Math.cos(angle));
          const out = mix(Math.cos(angle), Math.sin(angle));
          part(joint.first, "cone", [1.2 * r, 2.8 * r], at.map((c, k) => c + 5 * r * out[k] + 1.1 * r * tangent[k]), turnOf(out, tangent), "driver", j);
        }
      }
    });
    return found;
  }

  // what comes after the first picture
  async rest() {
    await this.sources.rest();
    const run = this.data.runs[0];
    if (run.rows) this.runs[0].rowTenths = await unpacked(run.rows);
    const { forces, torques, loads } = this.sources;
    const n = this.data.joints.length;
    const { r } = this;
    if (forces) {
      this.forceArrows = new Arrows(this.stage, n, this.colours.force, 0.55 * r);
      this.torqueArrows = new Arrows(this.stage, n, this.colours.torque, 0.45 * r, true);
      this.forceScale = scaleOf(forces, this.data.size);
      this.torqueScale = scaleOf(torques, this.data.size);
    }
    if (loads.length) {
      this.loadArrows = new Arrows(this.stage, loads.length, this.colours.load, 0.8 * r);
      this.loadScale = { force: scaleOf(loads.filter((l) => !l.torque).map((l) => l.values), this.data.size), torque: scaleOf(loads.filter((l) => l.torque).map((l) => l.values), this.data.size) };
    }
    this.ready = true;
    this.repaint();
  }

  theme(colours) {
    this.colours = colours;
    this.stage.theme(colours);
    this.springs.colour(colours.spring);
    this.rods.colour(colours.rail);
    this.forceArrows?.colour(colours.force);
    this.torqueArrows?.colour(colours.torque);
    this.loadArrows?.colour(colours.load);
    this.repaint();
  }

  repaint() {
    const { colours, selected, data } = this;
    const bad = this.violatedJoints();
    this.solids.paint((part) => {
      const { role, of } = part;
      if (role === "body") return selected?.kind === "body" && selected.k === of ? colours.accent : good(part.colour) || colourOf(of);
      if (role === "mark") {
        const base = selected?.kind === "body" && selected.k === of ? colours.accent : good(part.colour) || colourOf(of);
        return `#${new Color(base).lerp(new Color(colours.mark), 0.65).getHexString()}`;
      }
      if (role === "joint") {
        if (bad.has(of)) return colours.alarm;
        if (selected?.kind === "joint" && selected.k === of) return colours.accent;
        return data.redundant.includes(data.joints[of].name) ? colours.redundant : colours.glyph;
      }
      if (role === "rail") return bad.has(of) ? colours.alarm : colours.rail;
      if (role === "frame") return ["#d8433c", "#2f9e44", "#2f6fd8"][of];
      if (role === "driver") return colours.driver;
      if (role === "torsion") return colours.spring;
      if (role === "com") return colours.com;
      if (role === "plane") return colours.rail;
      return colours.quiet;
    });
    this.painted = [...bad].join();
    this.stage.changed = true;
    this.onvalues?.();
  }

  // numbers of joints with a row that is violated at this frame by more than is tolerated
  violatedJoints() {
    const found = new Set();
    this.violated = [];
    const tenths = this.runs[0].rowTenths;
    if (!tenths) return found;
    const frames = this.runs[0].times.length;
    const frame = this.clock.frame;
    const limit = 10 * (Math.log10(this.tolerance) + 18);
    this.data.joints.forEach((joint, j) => {
      for (const row of joint.rows) {
        if (tenths[row * frames + frame] <= limit) continue;
        found.add(j);
        this.violated.push(this.data.rows[row]);
      }
    });
    return found;
  }

  layer(name, on) {
    this.layers[name] = on;
    const { solids } = this;
    const roles = { bodies: ["body", "mark"], joints: ["joint", "rail", "plane", "torsion"], axes: ["axis"], frames: ["frame"], com: ["com"], forces: ["driver"] };
    for (const role of roles[name] ?? []) solids.show(role, on);
    if (name === "grid") this.stage.showGrid(on);
    if (name === "shadows") this.stage.showShadows(on);
    if (name === "trails") this.allTrails(on);
    if (name === "ghosts") this.ghosts.forEach((ghost, r) => ghost.show(`ghost ${r}`, on));
    if (name === "bodies") this.springs.visible = this.rods.visible = on;
    this.panel?.tick(name, on);
    this.update();
  }

  select(what) {
    const before = this.selected;
    this.selected = what;
    if (before?.kind === "body" && !this.layers.trails) this.removeTrail(`${before.k} 0,0,0`);
    if (what?.kind === "body") this.addTrail(what.k, [0, 0, 0]);
    this.repaint();
    this.update();
    this.onselect?.(what);
  }

  allTrails(on) {
    for (let b = 0; b < Math.min(this.nb, 60); b++) {
      if (on) this.addTrail(b, [0, 0, 0]);
      else if (!(this.selected?.kind === "body" && this.selected.k === b)) this.removeTrail(`${b} 0,0,0`);
    }
  }

  // the path of a point of a body over the whole run
  addTrail(b, point) {
    const key = `${b} ${point.join()}`;
    if (b < 0 || this.trailLines.has(key)) return;
    const { position, quaternion, times } = this.runs[0];
    const { nb } = this;
    const count = Math.min(times.length, 4000);
    const points = new Float32Array(3 * count);
    const at = new Vector3();
    for (let n = 0; n < count; n++) {
      const k = count < 2 ? 0 : Math.round((n * (times.length - 1)) / (count - 1));
      const q = 4 * (k * nb + b);
      const p = 3 * (k * nb + b);
      at.set(...point).applyQuaternion({ x: quaternion[q], y: quaternion[q + 1], z: quaternion[q + 2], w: quaternion[q + 3] });
      points[3 * n] = at.x + position[p];
      points[3 * n + 1] = at.y + position[p + 1];
      points[3 * n + 2] = at.z + position[p + 2];
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    const line = new Line(geometry, new LineBasicMaterial({ color: this.bodyColour(b) }));
    line.frustumCulled = false;
    this.stage.scene.add(line);
    this.trailLines.set(key, line);
    this.stage.changed = true;
  }

  removeTrail(key) {
    const line = this.trailLines.get(key);
    if (!line) return;
    this.stage.scene.remove(line);
    line.geometry.dispose();
    this.trailLines.delete(key);
    this.stage.changed = true;
  }

  // everything at the frame that the clock shows
  update() {
    const { frame, times } = this.clock;
    const { solids, runs, data } = this;
    solids.place(runs[0].position, runs[0].quaternion, frame);
    this.ghosts.forEach((ghost, r) => {
      const run = runs[r + 1];
      ghost.place(run.position, run.quaternion, nearestFrame(run.times, times[frame]));
    });
    const a = new Vector3();
    const b = new Vector3();
    this.springs.begin();
    for (const spring of data.springs) this.springs.add(solids.point(...spring.a, a), solids.point(...spring.b, b), spring.coil ? 2.4 * this.r : 0.5 * this.r);
    this.springs.end();
    this.rods.begin();
    for (const rod of data.rods) this.rods.add(solids.point(...rod.a, a), solids.point(...rod.b, b), 0.7 * this.r);
    this.rods.end();
    this.arrows(frame);
    const bad = [...this.violatedJoints()].join();
    if (bad !== this.painted) this.repaint();
    this.stage.changed = true;
  }

  arrows(frame) {
    const { forces, torques, loads } = this.sources;
    const { solids, data, layers, selected } = this;
    const from = new Vector3();
    const vector = new Vector3();
    this.labels = [];
    if (this.forceArrows) {
      const kinds = [[this.forceArrows, forces, this.forceScale, "N"], [this.torqueArrows, torques, this.torqueScale, "N m"]];
      const chosen = selected?.kind === "joint" ? selected.k : -1;
      for (const [arrows] of kinds) arrows.begin();
      for (let j = layers.reactions ? 0 : chosen; j >= 0 && j < data.joints.length; j = layers.reactions ? j + 1 : -1) {
        solids.point(...data.joints[j].at, from);
        for (const [arrows, all, scale, unit] of kinds) {
          const values = all[j];
          vector.set(values[0][frame], values[1][frame], values[2][frame]);
          const size = vector.length();
          arrows.add(from, vector.multiplyScalar(scale));
          if (size * scale > 0.02 * data.size && (data.joints.length <= 12 || chosen === j)) this.labels.push({ at: from.clone().add(vector), text: `${short(size)}${unit}`, kind: unit === "N" ? "force" : "torque" });
        }
      }
      for (const [arrows] of kinds) arrows.end();
    }
    if (this.loadArrows) {
      this.loadArrows.begin();
      loads.forEach((load) => {
        if (!layers.forces) return;
        solids.point(...load.at, from);
        vector.set(load.values[0][frame], load.values[1][frame], load.values[2][frame]);
        const size = vector.length();
        this.loadArrows.add(from, vector.multiplyScalar(load.torque ? this.loadScale.torque : this.loadScale.force));
        if (vector.length() > 0.02 * data.size && loads.length <= 12) this.labels.push({ at: from.clone().add(vector), text: `${load.name} ${short(size)}${load.torque ? "N m" : "N"}`, kind: "load" });
      });
      this.loadArrows.end();
    }
    if (layers.names) {
      data.bodies.slice(0, 80).forEach((body, k) => this.labels.push({ at: solids.point(k, 0, 0, 0), text: body.name, kind: "body" }));
      data.joints.slice(0, 80).forEach((joint) => {
        if (joint.kind === "joint") this.labels.push({ at: solids.point(...joint.at), text: joint.name, kind: "joint" });
      });
    }
  }

  // labels stand where the camera sees their points
  placeLabels(root) {
    while (root.children.length > this.labels.length) root.lastChild.remove();
    while (root.children.length < this.labels.length) root.append(el("span"));
    this.labels.forEach((label, k) => {
      const span = root.children[k];
      const at = this.stage.project(label.at);
      span.hidden = !at;
      if (!at) return;
      if (span.textContent !== label.text) span.textContent = label.text;
      span.className = label.kind;
      span.style.transform = `translate(${Math.round(at[0])}px, ${Math.round(at[1])}px)`;
    });
  }
}

// metres for one newton: the largest but for two in a hundred is a quarter of the mechanism
function scaleOf(vectors, size) {
  const found = [];
  for (const [x, y, z] of vectors) {
    const stride = Math.max(1, Math.floor(x.length / 400));
    for (let k = 0; k < x.length; k += stride) found.push(Math.hypot(x[k], y[k], z[k]));
  }
  found.sort((a, b) => a - b);
  const most = found[Math.floor(0.98 * (found.length - 1))] || 0;
  return most > 0 ? (0.22 * size) / most : 0;
}

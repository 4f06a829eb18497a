// Everything solid: instances of few geometries, each with its place on a body; per frame their matrices are written anew.
import { Color, Matrix4, MeshPhongMaterial, Quaternion, Vector3 } from "three";
import { meshGeometry, solid, tube } from "./geometry.js";
import { many } from "./many.js";

const scale = new Vector3();
const at = new Vector3();
const turned = new Quaternion();

// Kind of geometry, and scale, of the instances that show a part
function pieces(part) {
  const { kind, size } = part;
  if (kind === "box") return [["box", size]];
  if (kind === "cylinder" || kind === "cone") return [[kind, [size[0], size[0], size[1]]]];
  if (kind === "sphere") return [["sphere", [size[0], size[0], size[0]]]];
  if (kind === "ellipsoid") return [["sphere", size]];
  if (kind === "tube") return [[`tube ${(size[1] / size[0]).toFixed(3)}`, [size[0], size[0], size[2]]]];
  if (kind === "mesh") return [[`mesh ${size[0]}`, [1, 1, 1]]];
  if (kind === "capsule") {
    const [r, length] = size;
    const ball = [r, r, r];
    return [["cylinder", [r, r, length]], ["sphere", ball, length / 2], ["sphere", ball, -length / 2]];
  }
  return [[kind, size]];
}

export class Solids {
  // parts: {body, kind, size, position, quaternion, role, of, colour}
  constructor(stage, parts, meshes, { nb, opacity = 1, detail = 28 }) {
    this.nb = nb;
    this.groups = new Map();
    this.stage = stage;
    this.meshes = meshes;
    this.opacity = opacity;
    this.detail = detail;
    for (const part of parts) for (const piece of pieces(part)) this.add(part, piece);
    for (const group of this.groups.values()) this.finish(group);
    this.matrices = new Float32Array(12 * (nb + 1)); // rows of [A | r], ground last
    this.matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], 12 * nb);
  }

  add(part, [kind, size, shift = 0]) {
    const key = `${part.role} ${kind}`;
    if (!this.groups.has(key)) this.groups.set(key, { kind, role: part.role, instances: [] });
    turned.set(...part.quaternion);
    at.set(0, 0, shift).applyQuaternion(turned).add(scale.set(...part.position));
    const local = new Matrix4().compose(at, turned, scale.set(...size));
    this.groups.get(key).instances.push({ part, local, body: part.body < 0 ? this.nb : part.body });
  }

  geometry(kind) {
    const [word, number] = kind.split(" ");
    if (word === "tube") return tube(Number(number), this.detail);
    if (word === "mesh") return meshGeometry(this.meshes[Number(number)]);
    return solid(kind, this.detail);
  }

  finish(group) {
    const seeThrough = group.role === "plane" ? 0.16 : this.opacity;
    const material = new MeshPhongMaterial({
      color: 0xffffff, shininess: 22, specular: 0x2a2a2a, transparent: seeThrough < 1, opacity: seeThrough,
      depthWrite: seeThrough === 1, side: group.kind.startsWith("mesh") || group.role === "plane" ? 2 : 0,
    });
    if (group.role === "com") material.depthTest = false;
    group.places = new Float32Array(16 * group.instances.length);
    const mesh = many(this.geometry(group.kind), material, group.places, this.stage.software);
    mesh.frustumCulled = false;
    mesh.castShadow = seeThrough === 1 && ["body", "joint", "rail", "mark"].includes(group.role);
    mesh.receiveShadow = mesh.castShadow;
    if (group.role === "com") mesh.renderOrder = 5;
    mesh.userData = group;
    group.mesh = mesh;
    this.stage.scene.add(mesh);
  }

  // colourOf(part) -> CSS colour
  paint(colourOf) {
    const colour = new Color();
    for (const { mesh, instances } of this.groups.values()) {
      instances.forEach(({ part }, k) => mesh.setColorAt(k, colour.set(colourOf(part))));
      mesh.painted();
    }
  }

  show(role, visible) {
    for (const group of this.groups.values()) if (group.role === role) group.mesh.visible = visible;
  }

  // poses of one frame: position and quaternion from these offsets on
  place(position, quaternion, frame) {
    const { nb, matrices } = this;
    for (let b = 0; b < nb; b++) {
      const p = 3 * (frame * nb + b);
      const q = 4 * (frame * nb + b);
      const x = quaternion[q], y = quaternion[q + 1], z = quaternion[q + 2], w = quaternion[q + 3];
      const m = 12 * b;
      matrices[m] = 1 - 2 * (y * y + z * z);
      matrices[m + 1] = 2 * (x * y - z * w);
      matrices[m + 2] = 2 * (x * z + y * w);
      matrices[m + 3] = position[p];
      matrices[m + 4] = 2 * (x * y + z * w);
      matrices[m + 5] = 1 - 2 * (x * x + z * z);
      matrices[m + 6] = 2 * (y * z - x * w);
      matrices[m + 7] = position[p + 1];
      matrices[m + 8] = 2 * (x * z - y * w);
      matrices[m + 9] = 2 * (y * z + x * w);
      matrices[m + 10] = 1 - 2 * (x * x + y * y);
      matrices[m + 11] = position[p + 2];
    }
    for (const { mesh, instances, places: out } of this.groups.values()) {
      if (!mesh.visible) continue;
      for (let k = 0; k < instances.length; k++) {
        const { local, body } = instances[k];
        const l = local.elements;
        const m = 12 * body;
        const o = 16 * k;
        for (let c = 0; c < 4; c++) {
          const a = l[4 * c], b = l[4 * c + 1], d = l[4 * c + 2], last = c === 3 ? 1 : 0;
          for (let r = 0; r < 3; r++) {
            const row = m + 4 * r;
            out[o + 4 * c + r] = matrices[row] * a + matrices[row + 1] * b + matrices[row + 2] * d + last * matrices[row + 3];
          }
          out[o + 4 * c + 3] = last;
        }
      }
      mesh.placed();
    }
  }

  // a point of a body (-1: ground) in global coordinates
  point(body, x, y, z, target = new Vector3()) {
    const m = 12 * (body < 0 ? this.nb : body);
    const a = this.matrices;
    return target.set(
      a[m] * x + a[m + 1] * y + a[m + 2] * z + a[m + 3],
      a[m + 4] * x + a[m + 5] * y + a[m + 6] * z + a[m + 7],
      a[m + 8] * x + a[m + 9] * y + a[m + 10] * z + a[m + 11],
    );
  }

  direction(body, x, y, z, target = new Vector3()) {
    const m = 12 * (body < 0 ? this.nb : body);
    const a = this.matrices;
    return target.set(
      a[m] * x + a[m + 1] * y + a[m + 2] * z,
      a[m + 4] * x + a[m + 5] * y + a[m + 6] * z,
      a[m + 8] * x + a[m + 9] * y + a[m + 10] * z,
    );
  }

  // the pose of a body as it is drawn: from the matrix of the first instance that shows it
  drawn(body) {
    for (const { mesh, instances, places } of this.groups.values()) {
      const k = mesh.visible ? instances.findIndex((one) => one.body === body) : -1;
      if (k < 0) continue;
      const world = new Matrix4().fromArray(places, 16 * k);
      return world.multiply(instances[k].local.clone().invert()).toArray();
    }
    return null;
  }

  targets() {
    return [...this.groups.values()].filter((g) => g.mesh.visible && ["body", "mark", "joint", "rail"].includes(g.role)).map((g) => g.mesh);
  }
}

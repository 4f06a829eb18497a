// Many solids of one geometry, each with its place and colour: instances where a graphics card draws, one merged mesh where
// the processor does. Renderers in software make a draw of each instance, which costs them some 50 µs however small it is;
// moving the vertices of a box here costs less than 1 µs.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, InstancedBufferAttribute, InstancedMesh, Mesh } from "three";

const FEW = 3; // instances that are not worth merging
const LARGE = 2000; // vertices of a geometry that is not

// places: 16 numbers for each, columns first, as three.js has matrices
export function many(geometry, material, places, software) {
  const count = places.length / 16;
  const merge = software && count > FEW && geometry.getAttribute("position").count <= LARGE;
  return merge ? new Merged(geometry, material, places) : new Instances(geometry, material, places);
}

class Instances extends InstancedMesh {
  constructor(geometry, material, places) {
    super(geometry, material, places.length / 16);
    this.instanceMatrix = new InstancedBufferAttribute(places, 16).setUsage(DynamicDrawUsage);
  }

  placed() {
    this.instanceMatrix.needsUpdate = true;
    this.boundingSphere = null; // picking asks for it anew
  }

  // the first so many alone, where they are now
  first(count) {
    this.count = count;
    this.placed();
  }

  painted() {
    this.instanceColor.needsUpdate = true;
  }

  numberOf(hit) {
    return hit.instanceId;
  }
}

class Merged extends Mesh {
  constructor(unit, material, places) {
    const count = places.length / 16;
    const position = unit.getAttribute("position");
    const n = position.count;
    const corners = unit.index ? unit.index.array : Uint32Array.from({ length: n }, (_, k) => k);
    const geometry = new BufferGeometry();
    for (const name of ["position", "normal", "color"]) geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * n * count), 3).setUsage(DynamicDrawUsage));
    const index = new Uint32Array(corners.length * count);
    for (let k = 0; k < count; k++) for (let c = 0; c < corners.length; c++) index[k * corners.length + c] = k * n + corners[c];
    geometry.setIndex(new BufferAttribute(index, 1));
    material.vertexColors = true;
    super(geometry, material);
    Object.assign(this, { n, places, faces: corners.length / 3, points: position.array, normals: unit.getAttribute("normal").array });
  }

  setColorAt(k, colour) {
    const { array } = this.geometry.getAttribute("color");
    for (let v = 3 * k * this.n; v < 3 * (k + 1) * this.n; v += 3) {
      array[v] = colour.r;
      array[v + 1] = colour.g;
      array[v + 2] = colour.b;
    }
  }

  // vertices and normals to where the matrices say; normals by the inverse transpose: columns over their squares
  placed(count = this.places.length / 16) {
    const { n, places, points, normals } = this;
    const position = this.geometry.getAttribute("position");
    const normal = this.geometry.getAttribute("normal");
    const at = position.array;
    const way = normal.array;
    let o = 0;
    for (let m = 0; m < 16 * count; m += 16) {
      const a0 = places[m], a1 = places[m + 1], a2 = places[m + 2];
      const b0 = places[m + 4], b1 = places[m + 5], b2 = places[m + 6];
      const c0 = places[m + 8], c1 = places[m + 9], c2 = places[m + 10];
      const x0 = places[m + 12], y0 = places[m + 13], z0 = places[m + 14];
      const a = 1 / (a0 * a0 + a1 * a1 + a2 * a2 || 1), b = 1 / (b0 * b0 + b1 * b1 + b2 * b2 || 1), c = 1 / (c0 * c0 + c1 * c1 + c2 * c2 || 1);
      for (let v = 0; v < 3 * n; v += 3, o += 3) {
        const x = points[v], y = points[v + 1], z = points[v + 2];
        at[o] = a0 * x + b0 * y + c0 * z + x0;
        at[o + 1] = a1 * x + b1 * y + c1 * z + y0;
        at[o + 2] = a2 * x + b2 * y + c2 * z + z0;
        const u = a * normals[v], s = b * normals[v + 1], w = c * normals[v + 2];
        way[o] = a0 * u + b0 * s + c0 * w;
        way[o + 1] = a1 * u + b1 * s + c1 * w;
        way[o + 2] = a2 * u + b2 * s + c2 * w;
      }
    }
    position.needsUpdate = normal.needsUpdate = true;
    this.geometry.boundingSphere = null;
  }

  first(count) {
    this.geometry.setDrawRange(0, 3 * this.faces * count);
    this.placed(count);
  }

  painted() {
    this.geometry.getAttribute("color").needsUpdate = true;
  }

  numberOf(hit) {
    return Math.floor(hit.faceIndex / this.faces);
  }
}

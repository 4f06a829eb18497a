// Unit solids, long in z; instances scale them.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, Curve, CylinderGeometry, LatheGeometry, SphereGeometry,
  TorusGeometry, TubeGeometry, Vector2, Vector3,
} from "three";

export function solid(kind, detail) {
  switch (kind) {
    case "box": return new BoxGeometry(1, 1, 1);
    case "cylinder": return new CylinderGeometry(1, 1, 1, detail).rotateX(Math.PI / 2);
    case "cone": return new ConeGeometry(1, 1, detail).rotateX(Math.PI / 2);
    case "sphere": return new SphereGeometry(1, detail, Math.max(6, detail >> 1));
    case "coil": return coil();
    case "ring": return new TorusGeometry(1, 0.09, 8, 32);
    case "turn": return turn();
    default: throw new Error(`no solid ${kind}`);
  }
}

export function tube(ratio, detail) {
  const profile = [[ratio, -0.5], [1, -0.5], [1, 0.5], [ratio, 0.5], [ratio, -0.5]];
  const flat = profile.map(([x, y]) => new Vector2(Math.max(x, 1e-3), y));
  return new LatheGeometry(flat, detail).toNonIndexed().rotateX(Math.PI / 2);
}

export function meshGeometry({ points, triangles }) {
  const indexed = new BufferGeometry();
  indexed.setAttribute("position", new BufferAttribute(points, 3));
  indexed.setIndex(new BufferAttribute(triangles, 1));
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

class Helix extends Curve {
  getPoint(t, target = new Vector3()) {
    const inner = Math.min(1, Math.max(0, (t - 0.08) / 0.84));
    const radius = Math.min(1, t / 0.08, (1 - t) / 0.08);
    const angle = 2 * Math.PI * 8 * inner;
    return target.set(radius * Math.cos(angle), radius * Math.sin(angle), t - 0.5);
  }
}

function coil() {
  // a tube about the helix whose section stays round when the coil is scaled to five times its width
  const geometry = new TubeGeometry(new Helix(), 220, 0.13, 6);
  const at = geometry.getAttribute("position");
  const centre = new Vector3();
  const helix = new Helix();
  for (let k = 0; k < at.count; k++) {
    helix.getPoint(Math.floor(k / 7) / 220, centre);
    at.setZ(k, centre.z + (at.getZ(k) - centre.z) * 0.14);
  }
  return geometry;
}

function turn() {
  // three quarters of a circle about z
  return new TorusGeometry(1, 0.07, 8, 40, 1.45 * Math.PI);
}

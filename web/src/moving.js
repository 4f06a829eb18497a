// What stretches between two points, frame by frame: springs, rods, arrows.
import { Color, DynamicDrawUsage, InstancedMesh, Matrix4, MeshPhongMaterial, Quaternion, Vector3 } from "three";
import { solid } from "./geometry.js";

const UP = new Vector3(0, 0, 1);
const NOWHERE = new Matrix4().makeScale(0, 0, 0);
const turned = new Quaternion();
const along = new Vector3();
const middle = new Vector3();
const size = new Vector3();
const matrix = new Matrix4();

export class Between {
  // over: seen through whatever is before it
  constructor(stage, kind, count, colour, detail = 20, over = false) {
    const material = new MeshPhongMaterial({ color: 0xffffff, shininess: 20, specular: 0x222222, depthTest: !over, transparent: over });
    this.mesh = new InstancedMesh(solid(kind, detail), material, Math.max(1, count));
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = !over;
    this.mesh.renderOrder = over ? 4 : 0;
    this.mesh.count = count;
    this.colour(colour);
    stage.scene.add(this.mesh);
  }

  colour(css) {
    const colour = new Color(css);
    for (let k = 0; k < this.mesh.count; k++) this.mesh.setColorAt(k, colour);
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  set(k, a, b, radius) {
    along.subVectors(b, a);
    const length = along.length();
    if (!(length > 1e-12)) return this.hide(k);
    turned.setFromUnitVectors(UP, along.divideScalar(length));
    middle.addVectors(a, b).multiplyScalar(0.5);
    this.mesh.setMatrixAt(k, matrix.compose(middle, turned, size.set(radius, radius, length)));
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  hide(k) {
    this.mesh.setMatrixAt(k, NOWHERE);
    this.mesh.instanceMatrix.needsUpdate = true;
  }

  set visible(value) {
    this.mesh.visible = value;
  }
}

const tip = new Vector3();
const neck = new Vector3();
const way = new Vector3();

// Arrows: a shaft and a head each; moments have a second head
export class Arrows {
  constructor(stage, count, colour, radius, twice = false) {
    this.radius = radius;
    this.twice = twice;
    this.shaft = new Between(stage, "cylinder", count, colour, 10, true);
    this.head = new Between(stage, "cone", twice ? 2 * count : count, colour, 14, true);
  }

  colour(css) {
    this.shaft.colour(css);
    this.head.colour(css);
  }

  set(k, from, vector) {
    const length = vector.length();
    if (!(length > 2 * this.radius)) return this.hide(k);
    const head = Math.min(7 * this.radius, 0.45 * length);
    way.copy(vector).divideScalar(length);
    tip.copy(from).add(vector);
    neck.copy(tip).addScaledVector(way, -head);
    this.shaft.set(k, from, neck, this.radius);
    this.head.set(this.twice ? 2 * k : k, neck, tip, 2.6 * this.radius);
    if (this.twice) {
      tip.addScaledVector(way, -0.6 * head);
      neck.addScaledVector(way, -0.6 * head);
      this.head.set(2 * k + 1, neck, tip, 2.6 * this.radius);
    }
  }

  hide(k) {
    this.shaft.hide(k);
    this.head.hide(this.twice ? 2 * k : k);
    if (this.twice) this.head.hide(2 * k + 1);
  }

  set visible(value) {
    this.shaft.visible = value;
    this.head.visible = value;
  }
}

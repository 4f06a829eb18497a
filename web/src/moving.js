// What stretches between two points, frame by frame: springs, rods, arrows. Each frame says what there is, and no more is drawn.
import { Color, Matrix4, MeshPhongMaterial, Quaternion, Vector3 } from "three";
import { solid } from "./geometry.js";
import { many } from "./many.js";

const UP = new Vector3(0, 0, 1);
const turned = new Quaternion();
const along = new Vector3();
const middle = new Vector3();
const size = new Vector3();
const matrix = new Matrix4();

export class Between {
  // count: at most. over: seen through whatever is before it
  constructor(stage, kind, count, colour, detail = 20, over = false) {
    const material = new MeshPhongMaterial({ color: 0xffffff, shininess: 20, specular: 0x222222, depthTest: !over, transparent: over });
    this.places = new Float32Array(16 * count);
    this.count = count;
    this.mesh = many(solid(kind, detail), material, this.places, stage.software);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = !over;
    this.mesh.renderOrder = over ? 4 : 0;
    this.shown = true;
    this.colour(colour);
    this.begin();
    this.end();
    stage.scene.add(this.mesh);
  }

  colour(css) {
    const colour = new Color(css);
    for (let k = 0; k < this.count; k++) this.mesh.setColorAt(k, colour);
    if (this.count) this.mesh.painted();
  }

  begin() {
    this.used = 0;
  }

  add(a, b, radius) {
    along.subVectors(b, a);
    const length = along.length();
    if (!(length > 1e-12)) return;
    turned.setFromUnitVectors(UP, along.divideScalar(length));
    middle.addVectors(a, b).multiplyScalar(0.5);
    matrix.compose(middle, turned, size.set(radius, radius, length)).toArray(this.places, 16 * this.used);
    this.used += 1;
  }

  end() {
    this.mesh.visible = this.shown && this.used > 0;
    if (this.mesh.visible) this.mesh.first(this.used);
  }

  set visible(value) {
    this.shown = value;
    this.mesh.visible = value && this.used > 0;
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

  begin() {
    this.shaft.begin();
    this.head.begin();
  }

  add(from, vector) {
    const length = vector.length();
    if (!(length > 2 * this.radius)) return;
    const head = Math.min(7 * this.radius, 0.45 * length);
    way.copy(vector).divideScalar(length);
    tip.copy(from).add(vector);
    neck.copy(tip).addScaledVector(way, -head);
    this.shaft.add(from, neck, this.radius);
    this.head.add(neck, tip, 2.6 * this.radius);
    if (this.twice) {
      tip.addScaledVector(way, -0.6 * head);
      neck.addScaledVector(way, -0.6 * head);
      this.head.add(neck, tip, 2.6 * this.radius);
    }
  }

  end() {
    this.shaft.end();
    this.head.end();
  }
}

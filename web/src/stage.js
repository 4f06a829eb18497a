// Camera, light, ground and grid: where a mechanism stands and is looked at from.
import {
  BufferGeometry, Color, DirectionalLight, Float32BufferAttribute, HemisphereLight, LineBasicMaterial, LineSegments,
  Mesh, OrthographicCamera, PCFShadowMap, PerspectiveCamera, PlaneGeometry, Quaternion, Raycaster, Scene,
  ShadowMaterial, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const ANGLE = 30; // degrees of the perspective camera

function nice(step) {
  const power = 10 ** Math.floor(Math.log10(step));
  for (const factor of [1, 2, 5, 10]) if (factor * power >= step * 0.999) return factor * power;
  return step;
}

// Whether pixels are computed by the processor, for which shadows are too much
function software() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  constructor(canvas, data, few) {
    this.canvas = canvas;
    this.data = data;
    const g = new Vector3(...data.gravity);
    this.up = g.length() > 0 ? g.clone().normalize().negate() : new Vector3(0, 0, 1);
    // nothing shows through the canvas, which spares who puts the page together from mixing it with what is below
    const context = canvas.getContext("webgl2", { alpha: false, antialias: few, depth: true, stencil: false, powerPreference: "high-performance" });
    this.renderer = new WebGLRenderer({ canvas, context });
    this.scene = new Scene();
    this.low = new Vector3(...data.low);
    this.high = new Vector3(...data.high);
    this.centre = this.low.clone().add(this.high).multiplyScalar(0.5);
    this.radius = Math.max(0.5 * this.low.distanceTo(this.high), 0.3 * data.size);
    this.perspective = new PerspectiveCamera(ANGLE, 1, this.radius / 100, this.radius * 100);
    this.orthographic = new OrthographicCamera(-1, 1, 1, -1, -this.radius * 50, this.radius * 50);
    this.camera = this.perspective;
    for (const camera of [this.perspective, this.orthographic]) camera.up.copy(this.up);
    this.software = software();
    this.shadowsOn = few && !this.software;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.lights();
    this.normal = this.planNormal();
    this.grids();
    this.changed = true;
    this.attach();
  }

  // towards the viewer of the plan: the normal that has x, or else y, to the right
  planNormal() {
    const n = this.data.plane ? new Vector3(...this.data.plane) : this.sideways();
    const up = this.planUp(n);
    const right = up.clone().cross(n);
    return right.dot(new Vector3(1, 0.5, 0.25)) < 0 ? n.negate() : n;
  }

  sideways() {
    const axes = [new Vector3(0, -1, 0), new Vector3(1, 0, 0), new Vector3(0, 0, 1)];
    return axes.sort((a, b) => Math.abs(a.dot(this.up)) - Math.abs(b.dot(this.up)))[0].clone();
  }

  planUp(n) {
    const across = (v) => v.clone().addScaledVector(n, -v.dot(n));
    const up = across(this.up);
    if (up.length() > 0.1) return up.normalize();
    const y = across(new Vector3(0, 1, 0));
    return y.length() > 0.1 ? y.normalize() : across(new Vector3(1, 0, 0)).normalize();
  }

  lights() {
    this.sky = new HemisphereLight(0xffffff, 0x8d8d99, 1.7);
    this.sky.position.copy(this.up);
    const sun = new DirectionalLight(0xffffff, 2.1);
    const side = Math.abs(this.up.x) < 0.9 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0);
    const across = new Vector3().crossVectors(this.up, side).normalize();
    sun.position.copy(this.centre).addScaledVector(this.up, 3 * this.radius).addScaledVector(side, 1.1 * this.radius)
      .addScaledVector(across, -1.6 * this.radius);
    sun.target.position.copy(this.centre);
    sun.castShadow = this.shadowsOn;
    sun.shadow.mapSize.set(1024, 1024);
    const reach = 1.5 * this.radius;
    Object.assign(sun.shadow.camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.1 * this.radius, far: 8 * this.radius });
    sun.shadow.normalBias = 0.004 * this.radius;
    sun.shadow.bias = -0.0005;
    this.sun = sun;
    this.scene.add(this.sky, sun, sun.target);
  }

  grids() {
    const { data } = this;
    this.cell = nice(this.radius / 5);
    const count = Math.min(60, 2 * Math.ceil((1.35 * this.radius) / this.cell));
    const level = data.floor
      ? { normal: new Vector3(...data.floor.slice(3)), through: new Vector3(...data.floor.slice(0, 3)) }
      : { normal: this.up, through: this.centre.clone().addScaledVector(this.up, this.lowest(this.up) - 0.04 * this.radius) };
    const wall = { normal: this.normal, through: this.centre.clone().addScaledVector(this.normal, this.lowest(this.normal) - 0.02 * this.radius) };
    this.grid = this.sheet(level, count);
    this.wall = this.sheet(wall, count);
    const ground = new Mesh(new PlaneGeometry(8 * this.radius, 8 * this.radius), new ShadowMaterial({ opacity: 0.16 }));
    ground.receiveShadow = true;
    ground.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), level.normal);
    ground.position.copy(this.centre).addScaledVector(level.normal, level.through.clone().sub(this.centre).dot(level.normal) - 0.001 * this.radius);
    this.ground = ground;
    this.scene.add(ground);
  }

  lowest(direction) {
    let least = Infinity;
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(k & 1 ? this.low.x : this.high.x, k & 2 ? this.low.y : this.high.y, k & 4 ? this.low.z : this.high.z);
      least = Math.min(least, corner.sub(this.centre).dot(direction));
    }
    return least;
  }

  // lines through whole multiples of the cell, across a normal
  sheet({ normal, through }, count) {
    const { cell } = this;
    const axes = [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)];
    axes.sort((a, b) => Math.abs(a.dot(normal)) - Math.abs(b.dot(normal)));
    const u = axes[0].clone().addScaledVector(normal, -axes[0].dot(normal)).normalize();
    const v = normal.clone().cross(u).normalize();
    const off = normal.dot(through);
    const cu = Math.round(this.centre.dot(u) / cell);
    const cv = Math.round(this.centre.dot(v) / cell);
    const half = count / 2;
    const at = (a, b) => new Vector3().addScaledVector(u, a * cell).addScaledVector(v, b * cell).addScaledVector(normal, off);
    const thin = [];
    const thick = [];
    for (let k = -half; k <= half; k++) {
      ((cu + k) % 5 === 0 ? thick : thin).push(...at(cu + k, cv - half).toArray(), ...at(cu + k, cv + half).toArray());
      ((cv + k) % 5 === 0 ? thick : thin).push(...at(cu - half, cv + k).toArray(), ...at(cu + half, cv + k).toArray());
    }
    return [thin, thick].map((points) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
      const lines = new LineSegments(geometry, new LineBasicMaterial({ color: 0x888888 }));
      this.scene.add(lines);
      return lines;
    });
  }

  attach() {
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => { this.changed = true; });
  }

  // plan: straight at the plane of motion; else from above at an angle
  look(plan) {
    this.plan = plan;
    this.camera = plan || this.flat ? this.orthographic : this.perspective;
    const direction = new Vector3();
    if (plan) {
      direction.copy(this.normal);
      this.camera.up.copy(this.planUp(this.normal));
    } else {
      this.camera.up.copy(this.up);
      const right = this.planUp(this.normal).cross(this.normal).normalize();
      const front = right.clone().cross(this.up).normalize();
      if (front.length() < 0.5) front.copy(this.normal);
      direction.addScaledVector(front, 0.82).addScaledVector(right, 0.5).addScaledVector(this.up, 0.42).normalize();
    }
    this.attach();
    this.controls.target.copy(this.centre);
    this.camera.position.copy(this.centre).addScaledVector(direction, 4 * this.radius);
    this.camera.lookAt(this.centre);
    this.camera.updateMatrixWorld();
    this.fit(direction);
    this.showGrid(this.gridOn ?? true);
    this.controls.update();
    this.changed = true;
  }

  // as near as the box around everything allows
  fit(direction) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const aspect = Math.max(width, 1) / Math.max(height, 1);
    const inverse = this.camera.quaternion.clone().invert();
    let w = 0, h = 0, d = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(k & 1 ? this.low.x : this.high.x, k & 2 ? this.low.y : this.high.y, k & 4 ? this.low.z : this.high.z);
      corner.sub(this.centre).applyQuaternion(inverse);
      w = Math.max(w, Math.abs(corner.x));
      h = Math.max(h, Math.abs(corner.y));
      d = Math.max(d, corner.z);
    }
    const half = (this.plan ? 1.18 : 1.06) * Math.max(h, w / aspect, 0.05 * this.radius);
    this.half = half;
    const distance = half / Math.tan((ANGLE * Math.PI) / 360) + d;
    this.camera.position.copy(this.centre).addScaledVector(direction, this.camera === this.perspective ? distance : 4 * this.radius);
    this.orthographic.zoom = 1;
    this.resize();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.renderer.setSize(width, height, false);
    const aspect = width / height;
    this.perspective.aspect = aspect;
    const half = this.half ?? this.radius;
    Object.assign(this.orthographic, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    for (const camera of [this.perspective, this.orthographic]) camera.updateProjectionMatrix();
    this.changed = true;
  }

  showShadows(on) {
    this.shadowsOn = on;
    this.sun.castShadow = on;
    this.ground.visible = on && !this.plan;
    this.changed = true;
  }

  showGrid(on) {
    this.gridOn = on;
    for (const lines of this.grid) lines.visible = on && !this.plan;
    for (const lines of this.wall) lines.visible = on && this.plan;
    this.ground.visible = this.shadowsOn && !this.plan; // it shows nothing but shadows
    this.changed = true;
  }

  theme(colours) {
    this.scene.background = new Color(colours.sky);
    for (const [thin, thick] of [this.grid, this.wall]) {
      thin.material.color.set(colours.gridThin);
      thick.material.color.set(colours.gridThick);
    }
    this.ground.material.opacity = colours.shadow;
    this.sky.groundColor.set(colours.bounce);
    this.changed = true;
  }

  // where a point is on the screen, px; null behind the camera
  project(point) {
    const p = point.clone().project(this.camera);
    if (p.z > 1 || p.z < -1) return null;
    return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight];
  }

  pick(x, y, targets) {
    const at = new Vector2((x / this.canvas.clientWidth) * 2 - 1, 1 - (y / this.canvas.clientHeight) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    return ray.intersectObjects(targets, false)[0] ?? null;
  }

  // directions of the axes and of gravity on the screen, right and up
  compass() {
    const inverse = new Quaternion().copy(this.camera.quaternion).invert();
    const seen = (v) => v.clone().applyQuaternion(inverse);
    const g = new Vector3(...this.data.gravity);
    return {
      x: seen(new Vector3(1, 0, 0)), y: seen(new Vector3(0, 1, 0)), z: seen(new Vector3(0, 0, 1)),
      g: g.length() > 0 ? seen(g.normalize()) : null,
    };
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }
}

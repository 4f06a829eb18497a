// The time that is shown: frames of the first run, played, paused, scrubbed.
import { frameAt } from "./data.js";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Clock {
  constructor(times, changed) {
    this.times = times;
    this.changed = changed;
    this.frame = 0;
    this.time = times[0];
    this.playing = false;
    // what is over in less than a second begins in slow motion
    this.speed = SPEEDS.findLast((speed) => speed <= 1 && this.end - this.start >= speed) ?? SPEEDS[0];
    this.loop = true;
  }

  get start() { return this.times[0]; }
  get end() { return this.times[this.times.length - 1]; }
  get still() { return this.times.length < 2 || !(this.end > this.start); }

  tick(seconds) {
    if (!this.playing || this.still) return;
    let time = this.time + seconds * this.speed;
    if (time > this.end) {
      if (this.loop) time = this.start + ((time - this.start) % (this.end - this.start));
      else {
        time = this.end;
        this.playing = false;
      }
    }
    this.time = time;
    this.show(frameAt(this.times, time));
  }

  show(frame) {
    const before = this.frame;
    this.frame = Math.max(0, Math.min(this.times.length - 1, frame));
    if (this.frame !== before || !this.playing) this.changed();
  }

  seek(frame) {
    this.show(frame);
    this.time = this.times[this.frame];
    this.changed();
  }

  seekTime(time) {
    this.time = Math.max(this.start, Math.min(this.end, time));
    this.show(frameAt(this.times, this.time));
  }

  step(count) {
    this.playing = false;
    this.seek(this.frame + count);
  }

  toggle() {
    if (this.still) return;
    if (!this.playing && this.frame === this.times.length - 1) this.seek(0);
    this.playing = !this.playing;
    this.changed();
  }

  faster(by) {
    const k = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, k + by))];
    this.changed();
  }
}

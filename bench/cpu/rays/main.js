// Rays through n by n pixels at three spheres: vectors are objects, and few pixels hit nothing.
class Vector {
  constructor(x, y, z) {
    this.x = x;
    this.y = y;
    this.z = z;
  }

  minus(o) { return new Vector(this.x - o.x, this.y - o.y, this.z - o.z); }
  times(f) { return new Vector(this.x * f, this.y * f, this.z * f); }
  dot(o) { return this.x * o.x + this.y * o.y + this.z * o.z; }
  unit() { return this.times(1 / Math.sqrt(this.dot(this))); }
}

class Sphere {
  constructor(centre, radius) {
    this.centre = centre;
    this.radius = radius;
  }

  hit(way) {
    const b = this.centre.dot(way);
    const d = b * b - this.centre.dot(this.centre) + this.radius * this.radius;
    if (d < 0) return -1;
    return b - Math.sqrt(d);
  }
}

function main(n) {
  const spheres = [
    new Sphere(new Vector(0, 0, 3), 1), new Sphere(new Vector(1, 0.5, 4), 1), new Sphere(new Vector(-1.5, -0.5, 5), 1.5),
  ];
  const light = new Vector(-1, -1, -1).unit();
  let sum = 0;
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const way = new Vector(x / n - 0.5, y / n - 0.5, 1).unit();
      let near = 1e9, found = null;
      for (const s of spheres) {
        const far = s.hit(way);
        if (far > 0 && far < near) {
          near = far;
          found = s;
        }
      }
      if (found) {
        const normal = way.times(near).minus(found.centre).unit();
        sum += Math.max(0, normal.dot(light));
      }
    }
  }
  console.log(Math.floor(sum));
}

main(Number(process.argv[2]));

// Floating point in structs: the energy of the outer solar system after n steps.
const SOLAR_MASS = 4.0 * 3.141592653589793 * 3.141592653589793;
const DAYS_PER_YEAR = 365.24;

// Takes the velocity per day and the mass in suns.
function planet(x, y, z, vx, vy, vz, mass) {
  return {
    x, y, z,
    vx: vx * DAYS_PER_YEAR, vy: vy * DAYS_PER_YEAR, vz: vz * DAYS_PER_YEAR,
    mass: mass * SOLAR_MASS,
  };
}

function solarSystem() {
  return [
    planet(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    planet(4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01,
      1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05, 9.54791938424326609e-04),
    planet(8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01,
      -2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05, 2.85885980666130812e-04),
    planet(1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01,
      2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05, 4.36624404335156298e-05),
    planet(1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01,
      2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05, 5.15138902046611451e-05),
  ];
}

function advance(bodies, dt) {
  for (let i = 0; i < bodies.length; i++) {
    const a = bodies[i];
    for (let j = i + 1; j < bodies.length; j++) {
      const b = bodies[j];
      const dx = a.x - b.x;
      const dy = a.y - b.y;
      const dz = a.z - b.z;
      const distance2 = dx * dx + dy * dy + dz * dz;
      const mag = dt / (distance2 * Math.sqrt(distance2));
      a.vx -= dx * b.mass * mag;
      a.vy -= dy * b.mass * mag;
      a.vz -= dz * b.mass * mag;
      b.vx += dx * a.mass * mag;
      b.vy += dy * a.mass * mag;
      b.vz += dz * a.mass * mag;
    }
  }
  for (let i = 0; i < bodies.length; i++) {
    const b = bodies[i];
    b.x += dt * b.vx;
    b.y += dt * b.vy;
    b.z += dt * b.vz;
  }
}

function energy(bodies) {
  let e = 0.0;
  for (let i = 0; i < bodies.length; i++) {
    const a = bodies[i];
    e += 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz);
    for (let j = i + 1; j < bodies.length; j++) {
      const b = bodies[j];
      const dx = a.x - b.x;
      const dy = a.y - b.y;
      const dz = a.z - b.z;
      e -= a.mass * b.mass / Math.sqrt(dx * dx + dy * dy + dz * dz);
    }
  }
  return e;
}

// Gives the sun the momentum that keeps the whole system in place.
function offsetMomentum(bodies) {
  let px = 0.0;
  let py = 0.0;
  let pz = 0.0;
  for (const b of bodies) {
    px += b.vx * b.mass;
    py += b.vy * b.mass;
    pz += b.vz * b.mass;
  }
  const sun = bodies[0];
  sun.vx = -px / SOLAR_MASS;
  sun.vy = -py / SOLAR_MASS;
  sun.vz = -pz / SOLAR_MASS;
}

function main(n) {
  const bodies = solarSystem();
  offsetMomentum(bodies);
  for (let i = 0; i < n; i++) advance(bodies, 0.01);
  console.log(Math.floor(energy(bodies) * 1e9));
}

main(Number(process.argv[2]));

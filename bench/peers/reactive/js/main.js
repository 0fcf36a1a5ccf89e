// Runs a program of this folder with a library, as Runnel's of that name is run:
//
//	node main.js alien kairo broad 100 3
import { library } from './libraries.js';
import { report } from './measure.js';

const [name, program, ...args] = process.argv.slice(2);
const { run } = await import(`./${program}.js`);
try {
  report(...run(await library(name), args));
} catch (e) {
  console.error(`${e}`);
  process.exit(1);
}

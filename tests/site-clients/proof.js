// Runs named steps one after the other: what the clients' scripts are made of.
//
// Prints one line for each step; ends with 1 when one of them failed.

const failures = [];

// A step of the proof: a sentence, and what has to hold.
export async function step(sentence, proof) {
  try {
    await proof();
    console.log(`ok      ${sentence}`);
  } catch (error) {
    failures.push(sentence);
    console.log(`FAILED  ${sentence}: ${error.stack ?? error}`);
  }
}

// To be called last.
export function end() {
  console.log(`${failures.length} failed`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

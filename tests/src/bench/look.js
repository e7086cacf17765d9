// Runs before every page of the comparison: notes when the first item and when all of them can
// be seen, and ticks the last one. `list()` is where the rows are, in every page the same way.
(() => {
  const wanted = __COUNT__;
  const marks = (globalThis.marks = {});
  const list = () => {
    const host = document.querySelector("checklist-control, small-checklist");
    return host ? host.shadowRoot : document.getElementById("root");
  };
  const rows = () => list()?.querySelectorAll("li, .sd-checkbox").length ?? 0;
  // Both stand in front of the rows, so that looking costs nothing worth counting.
  const completed = () =>
    list().host?.localName === "checklist-control"
      ? list().querySelector(".card").classList.contains("completed")
      : list().querySelector(".status")?.textContent === "Completed";
  const frame = () => new Promise(requestAnimationFrame);
  // A task after the frame: what the frame draws is on its way to the screen.
  const painted = async () => {
    await frame();
    await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(0);
    });
    return performance.now();
  };
  const rest = (time) => new Promise((done) => setTimeout(done, time));

  (async () => {
    while (!marks.all) {
      const there = rows();
      const at = await painted();
      if (there) marks.first ??= at;
      if (there >= wanted) marks.all = at;
    }
  })();

  const compiled = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...what) => {
    const made = await compiled.apply(WebAssembly, what);
    // Chunks that come later share the memory of the first one.
    globalThis.linear ??= Object.values(made.instance.exports).find((one) => one instanceof WebAssembly.Memory);
    return made;
  };

  const boxes = () => list().querySelectorAll("input[type=checkbox]");
  // Boxes that a server has drawn wait for the script, and of a long list the script draws those
  // again bit by bit.
  const ready = async () => {
    const begin = performance.now();
    for (let calm = 0; calm < 25 && performance.now() - begin < 60_000; await rest(20)) {
      const all = boxes();
      calm = all.length >= wanted && !all[wanted - 1].disabled ? calm + 1 : 0;
    }
  };
  const click = async (wished) => {
    const box = boxes()[wanted - 1];
    const begin = performance.now();
    box.click();
    for (let turn = 0; completed() !== wished && turn < 1000; turn++) await undefined;
    while (completed() !== wished) {
      if (performance.now() - begin > 4_000) return undefined;
      await rest(0);
    }
    const shown = performance.now() - begin;
    return { shown, painted: (await painted()) - begin };
  };
  globalThis.ticks = async (count) => {
    const took = [];
    await ready();
    for (let turn = 0; turn < count; turn++) {
      const tick = await click(true);
      // One that says nothing for so long counts as one that does not answer.
      if (!tick) break;
      took.push(tick);
      await rest(150);
      await click(false);
      await rest(150);
    }
    return took;
  };
})();

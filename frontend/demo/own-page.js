// Writes the line of HTML with the address of this server, and copies what stands beside a button.
const base = new URL("..", location.href).href.replace(/\/$/, "");
const line =
  `<script type="module" src="${base}/control/checklist-control.js"></script>` +
  `<checklist-control object-type="incident" object-id="INC-1" token-url="${base}/demo/token"></checklist-control>`;
document.querySelector("#line").textContent = line;

for (const button of document.querySelectorAll("[data-copies]")) {
  button.addEventListener("click", async () => {
    const code = document.getElementById(button.dataset.copies);
    const said = document.querySelector("#copied");
    try {
      await navigator.clipboard.writeText(code.textContent);
      said.textContent = "Copied";
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    } catch {
      // Without access to the clipboard the text is selected, so that it can be copied by hand.
      getSelection().selectAllChildren(code);
      said.textContent = "Selected; copy it with the keyboard.";
    }
  });
}

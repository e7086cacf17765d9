import "./checklist.js";

const find = (id) => document.getElementById(id);
const list = find("list");

find("form").addEventListener("submit", (event) => {
  event.preventDefault();
  find("submitted").textContent = new FormData(event.target).get("checklist") ?? "nothing";
});

find("preview").baseUrl = list.baseUrl;

const on = (id, act) => find(id).addEventListener("click", act);
on("mounted", () => (list.isConnected ? list.remove() : find("form").append(list)));
on("purpose", () => (list.purpose = list.purpose ? "" : "other"));
on("disable-check", () => list.toggleAttribute("disable-check"));
on("disabled", () => (list.disabled = !list.disabled));
on("autosave", () => (list.autosave = list.autosave ? "" : "off"));

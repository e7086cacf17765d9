import "./element/checklist-control.js";

const list = document.querySelector("checklist-control");
const changes = [];

list.baseUrl = new URLSearchParams(location.search).get("server");
list.tokenProvider = async ({ contexts }) => {
  const answer = await fetch("/token", { method: "POST", body: JSON.stringify({ Contexts: contexts }) });
  const { Token, ExpiresAt } = await answer.json();
  return { token: Token, expiresAt: ExpiresAt };
};
list.addEventListener("completed-changed", (event) => {
  document.querySelector("#completed").textContent = event.detail.completed ? "yes" : "no";
});
list.addEventListener("checklist-change", (event) => {
  changes.push(event.detail.what);
  document.querySelector("#changes").textContent = changes.join(" ");
});

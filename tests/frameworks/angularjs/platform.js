// What the platform around the page gives it: where the server is, and tokens of its own.
const platform = {
  server: new URLSearchParams(location.search).get("server"),
  async tokenProvider({ contexts }) {
    const answer = await fetch("/token", { method: "POST", body: JSON.stringify({ Contexts: contexts }) });
    const { Token, ExpiresAt } = await answer.json();
    return { token: Token, expiresAt: ExpiresAt };
  },
};

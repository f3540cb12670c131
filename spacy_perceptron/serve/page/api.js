// Talking to the server. Errors carry a sentence for people.

export class ServerError extends Error {
  constructor(message, status = 0, data = {}) {
    super(message);
    this.status = status;
    this.data = data;
  }
}

const GONE = "The server does not answer. Is it still running? Your text is kept.";

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: "omit", redirect: "error", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServerError(GONE);
  }
  if (!response.ok) {
    let data = {};
    try {
      data = await response.json();
    } catch {
      // Not from our server: the status says what there is to say.
    }
    const said = typeof data.error === "string" ? data.error : "";
    throw new ServerError(said || `The server answers ${response.status}.`, response.status, data);
  }
  return response;
}

export async function get(path) {
  return (await request(path)).json();
}

function post(path, body, signal) {
  const headers = { "Content-Type": "application/json" };
  return request(path, { method: "POST", headers, body: JSON.stringify(body), signal });
}

export async function ask(path, body, signal) {
  return (await post(path, body, signal)).json();
}

export async function download(path, body, name) {
  const response = await post(path, body);
  const said = /filename="?([^";]+)"?/.exec(response.headers.get("Content-Disposition") ?? "");
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = said ? said[1] : name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

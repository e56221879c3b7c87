// A receiver of webhooks on this machine: what it was sent, whether it was signed, and how it answers.

import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as it arrived. */
export interface Received {
  id: string;
  type: string;
  /** The secrets with which it is signed, of those that the receiver knows. */
  signed: string[];
}

/** A receiver. */
export class Receiver {
  readonly received: Received[] = [];
  /** The secrets with which messages may be signed. */
  readonly secrets: string[] = [];
  /** The status with which it answers. */
  status = 200;
  url = "";
  readonly #server = createServer(async (request, response) => {
    this.received.push(this.#read(request, await bodyOf(request)));
    response.writeHead(this.status).end();
  });

  async start(): Promise<void> {
    await new Promise<void>((ready) => this.#server.listen(0, "127.0.0.1", ready));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/quorate`;
  }

  end(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #read(request: IncomingMessage, body: string): Received {
    const id = String(request.headers["webhook-id"]);
    const content = `${id}.${request.headers["webhook-timestamp"]}.${body}`;
    const given = String(request.headers["webhook-signature"]).split(" ");
    const signed = this.secrets.filter((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
      return given.includes(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
    });
    return { id, type: (JSON.parse(body) as { type: string }).type, signed };
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request) {
    body += String(piece);
  }
  return body;
}

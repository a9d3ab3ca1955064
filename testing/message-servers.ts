import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { expect, vi } from 'vitest';

interface Mail {
  to: string[];
  head: string;
  body: string;
}
interface TextSent {
  url: string;
  method: string;
  authorization: string;
  body: string;
}

/** A mail server and a gateway for text messages that keep what they get. */
export interface MessageServers {
  mails: Mail[];
  texts: TextSent[];
  /** The answers while they refuse; for the gateway also only for so many text messages. */
  refusal: { mail?: number; sms?: number; times?: number };
  /** The gateway takes so many text messages and answers them after this many milliseconds. */
  delay: { milliseconds: number; times: number };
  /** The gateway's address. */
  gateway: string;
  /** The environment of a server that sends through them. */
  settings: Record<string, string>;
  reset: () => void;
  close: () => Promise<void>;
}

const gatewaySecret = 'gateway-secret';

export async function openMessageServers(): Promise<MessageServers> {
  const mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      void text(stream).then((whole) => {
        if (servers.refusal.mail) {
          // The answer repeats address and content, as those of real servers do.
          const words = `Not now for ${session.envelope.rcptTo[0]?.address}: ${whole}`.replace(/\s+/g, ' ');
          return done(Object.assign(new Error(words), { responseCode: servers.refusal.mail }));
        }
        const [head = '', ...body] = whole.split('\r\n\r\n');
        servers.mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          head,
          body: unfolded(body.join('\n\n')),
        });
        done();
      });
    },
  });
  const gateway = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const { url = '', method = '', headers } = request;
      const { sms, times = Number.POSITIVE_INFINITY } = servers.refusal;
      if (sms && times > 0) {
        servers.refusal.times = times - 1;
        return response.writeHead(sms).end(`Not now: ${url} ${body}`);
      }
      servers.texts.push({ url, method, authorization: headers.authorization ?? '', body });
      const isDelayed = servers.delay.times > 0;
      if (isDelayed) servers.delay.times--;
      setTimeout(() => response.writeHead(200).end('ok'), isDelayed ? servers.delay.milliseconds : 0);
    });
  });
  await Promise.all([
    new Promise<void>((done) => mailServer.listen(0, '127.0.0.1', () => done())),
    new Promise<void>((done) => gateway.listen(0, '127.0.0.1', () => done())),
  ]);
  const gatewayAddress = `http://127.0.0.1:${portOf(gateway.address())}`;
  const servers: MessageServers = {
    mails: [],
    texts: [],
    refusal: {},
    delay: { milliseconds: 0, times: 0 },
    gateway: gatewayAddress,
    settings: {
      SMTP_URL: `smtp://127.0.0.1:${portOf(mailServer.server.address())}`,
      MAIL_FROM: 'Test School <office@school.example>',
      SMS_URL: `${gatewayAddress}/send?to=91{mobile}&text={text}&template={templateId}&ref={id}`,
      SMS_AUTHORIZATION: `Bearer ${gatewaySecret}`,
    },
    reset: () => {
      servers.mails.length = 0;
      servers.texts.length = 0;
      servers.refusal = {};
      servers.delay = { milliseconds: 0, times: 0 };
    },
    close: async () => {
      await new Promise<void>((done) => mailServer.close(() => done()));
      gateway.closeAllConnections();
      await new Promise((done) => gateway.close(done));
    },
  };
  return servers;
}

/** Waits until so many arrived. */
export const heard = <Value>(list: () => Value[], count: number) =>
  vi.waitFor(() => expect(list().length).toBeGreaterThanOrEqual(count), { timeout: 60_000, interval: 50 });

const portOf = (address: unknown) => (address as AddressInfo).port;

/** Quoted-printable, the encoding of mails with more than ASCII. */
const unfolded = (body: string) =>
  Buffer.from(
    body
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

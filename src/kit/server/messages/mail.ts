import { createTransport } from 'nodemailer';
import type { Language } from '#kit/contract/languages.ts';
import type { Config } from '#kit/server/config.ts';

/** A message to be sent. */
export interface Outgoing {
  /** The same for every retry, so that a receiver can recognise a repetition. */
  id: number;
  /** The kind of message; gateways in India require its registered template. */
  template: string;
  /** The id of the registered template; '' for the one in the environment, which is that of the English text. */
  templateId: string;
  to: string;
  subject: string;
  text: string;
  language: Language;
}

type Send = (message: Outgoing) => Promise<void>;

/** The send function of each configured channel. Each throws when the message was not accepted. */
export interface Senders {
  email?: Send;
  sms?: Send;
}

/** Creates the configured channels without connecting. They must connect and answer within so many milliseconds. */
export function openSenders(
  { mail, sms, publicUrl }: Pick<Config, 'mail' | 'sms' | 'publicUrl'>,
  answerWithin = 20_000,
): Senders {
  return {
    ...(mail && { email: withPauses(mailSender(mail, new URL(publicUrl).hostname, answerWithin), 3 * answerWithin) }),
    ...(sms && { sms: withPauses(smsSender(sms, answerWithin), 3 * answerWithin) }),
  };
}

/** The codes of errors that end a wait: of a mail server, of a connection, and of a gateway. */
const waited = ['ETIMEDOUT', 'ETIMEOUT', 'TimeoutError'];

/**
 * Sends nothing for `pauseMs` milliseconds after the channel did not answer, and then tries one message: each of them
 * would keep its worker waiting as long. Until then messages are refused, to be retried.
 */
export function withPauses(send: Send, pauseMs: number, now = Date.now): Send {
  let pausedUntil = 0;
  let isTrying = false;
  return async (message) => {
    const isPaused = pausedUntil > 0 && (now() < pausedUntil || isTrying);
    if (isPaused) throw Object.assign(new Error('The channel does not answer'), { code: 'PAUSED' });
    isTrying = pausedUntil > 0;
    try {
      await send(message);
      pausedUntil = 0;
    } catch (error) {
      const { code, name } = error as { code?: unknown; name?: unknown };
      pausedUntil = [code, name].some((word) => waited.includes(String(word))) ? now() + pauseMs : 0;
      throw error;
    } finally {
      isTrying = false;
    }
  };
}

function mailSender({ url, from }: NonNullable<Config['mail']>, host: string, answerWithin: number): Send {
  const transport = createTransport(
    {
      url,
      connectionTimeout: answerWithin,
      greetingTimeout: answerWithin,
      socketTimeout: answerWithin,
      // The template engine must not read a file or an address because a name in the message contains one.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return async ({ id, to, subject, text, language }) => {
    await transport.sendMail({
      // As an object, so that any content is one address.
      to: { name: '', address: to },
      subject,
      text,
      messageId: `<message-${id}@${host}>`,
      headers: { 'Content-Language': language },
    });
  };
}

/** Sends through a gateway's HTTP interface: a GET of the address, or a POST where there is a body. */
function smsSender({ url, body, authorization, templateIds }: NonNullable<Config['sms']>, answerWithin: number): Send {
  return async ({ id, template, templateId, to, text, language }) => {
    const values: Record<string, string> = {
      mobile: to,
      text,
      id: String(id),
      templateId: templateId || (language === 'en' ? (templateIds[template] ?? '') : ''),
      // Some gateways ask whether the text has letters beyond those of GSM.
      unicode: /^[\n -~]*$/.test(text) ? '0' : '1',
      language,
    };
    const filled = (pattern: string, encode: (value: string) => string) =>
      pattern.replace(/\{(\w+)\}/g, (whole, name: string) => (name in values ? encode(values[name] ?? '') : whole));
    const inJson = (value: string) => JSON.stringify(value).slice(1, -1);
    const response = await fetch(filled(url, encodeURIComponent), {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(authorization && { authorization }),
      },
      ...(body && { body: filled(body, inJson) }),
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithin),
    });
    await response.body?.cancel();
    if (!response.ok) throw Object.assign(new Error('The gateway refused'), { code: `HTTP ${response.status}` });
  };
}

import { useSyncExternalStore } from 'react';
import { AppError } from '#kit/contract/errors.ts';
import { forgetLocally, keepLocally, readLocally } from './local-copy.ts';

type Answers = Record<string, unknown>;

/** What the server holds of a page that was typed and not saved. */
export interface ServerDraft {
  /** Grows with every change, over all devices; 0 where nothing was ever kept. */
  number: number;
  savedDateTime: string | null;
  /** The page load that wrote it. */
  visit: string;
  answers: Answers | null;
}

/** How one page's draft is read from the server and kept there. */
export interface DraftPort {
  page: string;
  /** Fields that must not lie on the device, such as an Aadhaar number. */
  secret: readonly string[];
  read: () => Promise<ServerDraft>;
  /** `isLeaving`: the page is going away, so the request must outlive it. */
  keep: (
    draft: { number: number; basedOn: number; visit: string; answers: Answers },
    isLeaving: boolean,
  ) => Promise<ServerDraft>;
}

type Status =
  | { kind: 'none' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  /** Typed here, not on the server: the line is away. */
  | { kind: 'local' }
  /** The link of this page was replaced or revoked: nothing can be sent, and what was typed is kept here. */
  | { kind: 'ended' }
  /** Another tab or device wrote to the same page since. */
  | { kind: 'conflict'; at: string; keepMine: () => void; showTheirs: () => void };

/** A page's draft, opened for a form: what it adds to the saved answers, and whom to tell of changes. */
export interface Draft {
  answers: Answers | null;
  /** When it was typed, if not in this visit. */
  since: string | null;
  change: (answers: Answers) => void;
  /** Sends what is not sent yet, at once. */
  flush: (isLeaving?: boolean) => void;
  /** Holds drafts back while the page itself is being saved. */
  pause: () => void;
  /** The page itself was saved: nothing is left to keep. `startsAnew`: what is typed from now on is a new draft. */
  end: (startsAnew?: boolean) => void;
}

/** One page load; the server tells late drafts of it from those of other tabs and devices. */
const visit = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
  '',
);

/** How long after the last keystroke a draft is sent, in milliseconds. */
const typingPause = 1500;
const localPause = 300;
/** "Saving" is only said when it takes longer than this. */
const slow = 1000;
const tryAgainAfter = 15_000;

/** What is on its way to the server, so that a page that is opened again waits for its own last words. */
const underWay = new Map<string, Promise<void>>();

/** Opens a page's draft: the server's, or what this device could not send when it was last here. */
export async function openDraft(port: DraftPort): Promise<Draft> {
  await underWay.get(port.page);
  const [kept, local] = await Promise.all([port.read(), readLocally(port.page)]);
  const isUnsent = local && !isSame(local.answers, kept.answers, port.secret);
  if (local && !isUnsent) void forgetLocally(port.page);
  const isFromBefore = isUnsent || (kept.answers !== null && kept.visit !== visit);
  const answers = isUnsent ? { ...kept.answers, ...local.answers } : kept.answers;
  const since = isFromBefore ? (isUnsent ? local.at : kept.savedDateTime) : null;
  const draft = keeper(port, isUnsent ? local.basedOn : kept.number, kept.answers !== null ? kept.savedDateTime : null);
  if (isUnsent) draft.change(answers ?? {});
  return { ...draft, answers, since };
}

const isSame = (local: Answers, kept: Answers | null, secret: readonly string[]) =>
  kept !== null && Object.entries(local).every(([name, value]) => secret.includes(name) || kept[name] === value);

function keeper(port: DraftPort, first: number, savedAt: string | null) {
  let [basedOn, number] = [first, first];
  let latest: Answers | undefined;
  let isSent = true;
  let isSending = false;
  let isStopped = false;
  let isPaused = false;
  let sendTimer: ReturnType<typeof setTimeout> | undefined;
  let localTimer: ReturnType<typeof setTimeout> | undefined;
  const show = (status: Status) => report(port.page, status);
  show(savedAt ? { kind: 'saved', at: savedAt } : { kind: 'none' });

  const keepHere = () => {
    clearTimeout(localTimer);
    if (isSent || !latest) return Promise.resolve(true);
    const answers = Object.fromEntries(Object.entries(latest).filter(([name]) => !port.secret.includes(name)));
    return keepLocally(port.page, { answers, basedOn, at: new Date().toISOString() });
  };

  const send = async (isLeaving: boolean) => {
    clearTimeout(sendTimer);
    if (isSent || isStopped || !latest || (isSending && !isLeaving)) return;
    const answers = latest;
    isSending = true;
    number += 1;
    const slowly = setTimeout(() => show({ kind: 'saving' }), slow);
    try {
      const kept = await port.keep({ number, basedOn, visit, answers }, isLeaving);
      basedOn = Math.max(basedOn, kept.number);
      if (latest === answers) {
        isSent = true;
        clearTimeout(localTimer);
        void forgetLocally(port.page);
      }
      show({ kind: 'saved', at: kept.savedDateTime ?? new Date().toISOString() });
    } catch (error) {
      failed(error);
    } finally {
      clearTimeout(slowly);
      isSending = false;
    }
    if (!isSent && !isStopped && latest !== answers) later();
  };

  const failed = (error: unknown) => {
    const { code, data } = error instanceof AppError ? error : { code: 'unexpected', data: undefined };
    // The form is closed to this visit: submitted elsewhere, consent withdrawn. The next save says so.
    if (['already_submitted', 'consent_required'].includes(code)) {
      isStopped = true;
      return show({ kind: 'none' });
    }
    void keepHere();
    if (code === 'not_found') {
      isStopped = true;
      return show({ kind: 'ended' });
    }
    if (code === 'stale') {
      isStopped = true;
      // The page is being saved itself and gets the same answer: it asks the reader, so that nobody is asked twice.
      if (isPaused) return;
      const theirs = Number(data?.number ?? 0);
      const keepMine = () => {
        [basedOn, number, isStopped] = [theirs, Math.max(number, theirs), false];
        void start(false);
      };
      const showTheirs = () => void forgetLocally(port.page).then(() => window.location.reload());
      return show({ kind: 'conflict', at: String(data?.savedDateTime ?? ''), keepMine, showTheirs });
    }
    show({ kind: 'local' });
    if (code === 'unavailable') sendTimer = setTimeout(() => void start(false), tryAgainAfter);
  };

  const start = (isLeaving: boolean) => {
    const done = send(isLeaving).finally(() => {
      if (underWay.get(port.page) === done) underWay.delete(port.page);
    });
    underWay.set(port.page, done);
    return done;
  };

  const later = () => {
    clearTimeout(sendTimer);
    sendTimer = setTimeout(() => void start(false), typingPause);
  };

  /** The save moved the number on; what is typed next counts from there. */
  const catchUp = async () => {
    const kept = await port.read().catch(() => undefined);
    if (kept) [basedOn, number] = [kept.number, Math.max(number, kept.number)];
  };

  window.addEventListener('online', () => void start(false));
  return {
    change: (answers: Answers) => {
      isPaused = false;
      latest = answers;
      isSent = false;
      clearTimeout(localTimer);
      localTimer = setTimeout(() => void keepHere(), localPause);
      if (!isStopped) later();
    },
    flush: (isLeaving = false) => {
      if (isSent) return;
      void keepHere();
      if (!isStopped) void start(isLeaving);
    },
    pause: () => {
      isPaused = true;
      show({ kind: 'none' });
      clearTimeout(sendTimer);
      clearTimeout(localTimer);
    },
    end: (startsAnew = false) => {
      clearTimeout(sendTimer);
      clearTimeout(localTimer);
      [latest, isSent, isStopped] = [undefined, true, false];
      show({ kind: 'none' });
      void forgetLocally(port.page);
      if (startsAnew) void catchUp();
    },
  };
}

const statuses = new Map<string, Status>();
const listeners = new Set<() => void>();
const nothing: Status = { kind: 'none' };
const urgency = ['none', 'saved', 'saving', 'local', 'conflict', 'ended'];

function report(page: string, status: Status) {
  statuses.set(page, status);
  for (const listener of listeners) listener();
}

const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What there is to say of these drafts: the most urgent of their states. */
export const useDraftStatus = (pages: readonly string[]): Status =>
  useSyncExternalStore(listen, () =>
    pages.reduce<Status>((most, page) => {
      const status = statuses.get(page) ?? nothing;
      return urgency.indexOf(status.kind) > urgency.indexOf(most.kind) ? status : most;
    }, nothing),
  );

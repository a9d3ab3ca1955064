import { useSyncExternalStore } from 'react';
import { AppError } from '#kit/contract/errors.ts';
import { forgetLocally, keepLocally, readLocally } from './local-copy.ts';

type Answers = Record<string, unknown>;

/** The server's copy of what was typed on a page and not saved. */
export interface ServerDraft {
  /** Grows with every change on any device; 0 where there was never a draft. */
  number: number;
  savedDateTime: string | null;
  /** The page load that wrote it. */
  visit: string;
  answers: Answers | null;
}

/** How a page's draft is loaded from the server and saved there. */
export interface DraftPort {
  page: string;
  /** Fields that must not be stored on the device, such as an Aadhaar number. */
  secret: readonly string[];
  read: () => Promise<ServerDraft>;
  /** `isLeaving`: the page is being left, so the request must outlive it. */
  keep: (
    draft: { number: number; basedOn: number; visit: string; answers: Answers },
    isLeaving: boolean,
  ) => Promise<ServerDraft>;
}

type Status =
  | { kind: 'none' }
  | { kind: 'saving' }
  | { kind: 'saved'; at: string }
  /** Stored on this device, not on the server: the connection is lost. */
  | { kind: 'local' }
  /** This page's link was replaced or revoked: nothing can be sent, and typed values stay on this device. */
  | { kind: 'ended' }
  /** Another tab or device has changed the same page since. */
  | { kind: 'conflict'; at: string; keepMine: () => void; showTheirs: () => void };

/** A page's draft, opened for a form: the values it adds to the saved answers, and the functions the form calls. */
export interface Draft {
  answers: Answers | null;
  /** The time of typing, if not in this visit. */
  since: string | null;
  change: (answers: Answers) => void;
  /** Sends unsent changes immediately. */
  flush: (isLeaving?: boolean) => void;
  /** Pauses drafts while the page itself is being saved. */
  pause: () => void;
  /** The page itself was saved, so the draft ends. `startsAnew`: later changes form a new draft. */
  end: (startsAnew?: boolean) => void;
}

/** A page load; it lets the server distinguish its late drafts from those of other tabs and devices. */
const visit = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
  '',
);

/** Milliseconds from the last keystroke until a draft is sent. */
const typingPause = 1500;
const localPause = 300;
/** "Saving" is only said when it takes longer than this. */
const slow = 1000;
const tryAgainAfter = 15_000;

/** Requests in progress, so that a reopened page waits for its own last draft. */
const underWay = new Map<string, Promise<void>>();

/** Opens a page's draft: the server's, or the one this device could not send in the last visit. */
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
    // The form was closed to this visit: submitted elsewhere, or consent withdrawn. The next save shows it.
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
      // The page is being saved itself and gets the same answer, which asks the reader once.
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

  /** The save raised the number; later changes count from there. */
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

/** The state to show for these drafts: the most urgent of them. */
export const useDraftStatus = (pages: readonly string[]): Status =>
  useSyncExternalStore(listen, () =>
    pages.reduce<Status>((most, page) => {
      const status = statuses.get(page) ?? nothing;
      return urgency.indexOf(status.kind) > urgency.indexOf(most.kind) ? status : most;
    }, nothing),
  );

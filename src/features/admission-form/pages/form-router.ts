import type { ComponentType } from 'react';
import { configuration } from '#features/school/ui/configuration.ts';
import { chosenLanguage, searchShown, speak, withWords } from '#kit/browser/language.tsx';
import { currentLanguage } from '#kit/browser/text.ts';
import type { Inquiry } from '../contract/inquiry.ts';
import { type FormPath, formPaths } from '../contract/pages.ts';
import { Page as BasicInfoPage, load as loadBasicInfo } from './BasicInfoPage.tsx';
import { getInquiry } from './inquiry-state.ts';
import { isPathOpen } from './open-steps.ts';
import { orReload } from './or-reload.ts';
import type { Search } from './way-back.ts';

interface PageModule {
  /** Reads what the page shows. */
  load: () => Promise<unknown>;
  Page: ComponentType;
}

/** The first page comes with the form; each other page is loaded when it is opened. */
const pages: Record<FormPath, () => Promise<PageModule>> = {
  '/admission': async () => ({ load: loadBasicInfo, Page: BasicInfoPage }),
  '/admission1': () => import('./ParentInfoPage.tsx'),
  '/admission2': () => import('./HealthPage.tsx'),
  '/admission3': () => import('./AdditionalInfoPage.tsx'),
  '/admission4': () => import('./SubmitPage.tsx'),
};

const [first] = formPaths;
const last: FormPath = '/admission4';

/** What the form shows: a page with its data, a failure, or a skeleton while a page takes long. */
export type Shown = { Page: ComponentType; data: unknown } | { error: unknown } | 'waiting';

/** Where a link of the form leads; a search that is left out keeps only the family's link. */
export interface FormDestination {
  to: string;
  hash?: string;
  search?: Search | ((current: Search) => Search);
}

/** Milliseconds for which the page before remains while the next one loads. */
const pendingAfter = 200;

const keyOf = (): string => (window.history.state as { key?: string } | null)?.key ?? 'first';

const positionsAt = 'form-positions';

function storedPositions(): [string, number][] {
  try {
    return JSON.parse(window.sessionStorage.getItem(positionsAt) ?? '[]') as [string, number][];
  } catch {
    return []; // The browser keeps nothing.
  }
}

function storePositions(positions: ReadonlyMap<string, number>) {
  try {
    window.sessionStorage.setItem(positionsAt, JSON.stringify([...positions].slice(-20)));
  } catch {
    // A reload begins at the top then.
  }
}

const newState = () => ({ key: Math.random().toString(36).slice(2) });

/** The five pages of the form as a program: what the address shows, and how it changes. */
export function createFormRouter() {
  hasSpoken = false;
  let shown: Shown | undefined;
  /** The address of the page that is shown, without its hash. */
  let shownAt: string | undefined;
  let turn = 0;
  const watchers = new Set<() => void>();
  /** Where the reader was on each entry of the history, and the entry that is shown. */
  const positions = new Map<string, number>(storedPositions());
  let entry = keyOf();

  const show = (next: Shown) => {
    shown = next;
    for (const watcher of watchers) watcher();
  };

  /** Shows the page of the address, with answers as they are stored now. */
  const load = async () => {
    turn += 1;
    const mine = turn;
    const late = setTimeout(() => mine === turn && show('waiting'), pendingAfter);
    const next = await read().catch((error: unknown) => ({ error }));
    clearTimeout(late);
    if (mine !== turn || !next) return;
    shownAt = addressShown();
    show(next);
  };

  const navigate = ({ hash = '', ...destination }: FormDestination) => {
    const address = `${hrefOf(destination)}${hash && `#${hash}`}`;
    const { pathname, search, hash: before } = window.location;
    const act = address === `${pathname}${search}${before}` ? 'replaceState' : 'pushState';
    window.history[act](newState(), '', address);
    return load();
  };

  /** Follows the browser's own ways through the history, until the returned function is called. */
  const follow = () => {
    const { scrollRestoration } = window.history;
    window.history.scrollRestoration = 'manual';
    const onPop = () => {
      // A link within the page changes only the hash.
      if (addressShown() !== shownAt) void load();
    };
    const onScroll = () => shown !== 'waiting' && positions.set(entry, window.scrollY);
    const onLeave = () => storePositions(positions);
    window.addEventListener('popstate', onPop);
    window.addEventListener('scroll', onScroll, { passive: true });
    window.addEventListener('pagehide', onLeave);
    if (!turn) void load();
    return () => {
      window.history.scrollRestoration = scrollRestoration;
      window.removeEventListener('popstate', onPop);
      window.removeEventListener('scroll', onScroll);
      window.removeEventListener('pagehide', onLeave);
    };
  };

  return {
    load,
    navigate,
    follow,
    watch: (watcher: () => void) => {
      watchers.add(watcher);
      return () => void watchers.delete(watcher);
    },
    shown: () => shown,
    /** To where the reader was on this entry of the history; a new one begins at its top, or at its hash. */
    scroll: () => {
      if (shown === 'waiting') return;
      entry = keyOf();
      const target = document.getElementById(window.location.hash.slice(1));
      const before = positions.get(entry);
      if (before === undefined && target) target.scrollIntoView();
      else window.scrollTo(0, before ?? 0);
    },
  };
}

export type FormRouter = ReturnType<typeof createFormRouter>;

const addressShown = () => `${window.location.pathname}${searchShown()}`;

/** The address of a destination without its hash: the family's link goes along. */
export function hrefOf({ to, search }: FormDestination): string {
  const current = currentSearch();
  const { inquiryNo = current.inquiryNo, ...rest } = typeof search === 'function' ? search(current) : (search ?? {});
  const query = new URLSearchParams({ ...(inquiryNo !== undefined && { inquiryNo }), ...rest }).toString();
  return `${to}${query && `?${query}`}`;
}

function currentSearch(): Search {
  const query = new URLSearchParams(window.location.search);
  const inquiryNo = query.get('inquiryNo');
  return { ...(inquiryNo !== null && { inquiryNo }), ...(query.get('return') === 'check' && { return: 'check' }) };
}

let hasSpoken = false;

/**
 * Shows the form in the family's language, where its reader has chosen none; where its words can't be fetched, in the present
 * one. An answer of this visit does not change the page that is being read.
 */
async function speakTo({ language }: Inquiry) {
  if (hasSpoken) return;
  hasSpoken = true;
  const offered = configuration().languages;
  if (!language || chosenLanguage(offered) || language === currentLanguage()) return;
  if (offered.includes(language)) await speak(language);
}

/** Reads the page of the address, or of the one that is open instead. */
async function read(): Promise<Shown | undefined> {
  const { pathname } = window.location;
  const path = formPaths.find((one) => one === pathname || `${one}/` === pathname);
  // Loads the page's code while the server is asked whether the form is still open.
  if (path) void pages[path]().catch(() => undefined);
  const inquiry = await getInquiry();
  await speakTo(inquiry);
  const open = inquiry.isFormSubmitted
    ? last
    : inquiry.isConsentRequired
      ? first
      : path && !isPathOpen(inquiry.correction, path)
        ? last
        : path;
  if (!open) {
    window.location.replace('/login');
    return undefined;
  }
  if (open !== path) window.history.replaceState(newState(), '', `${open}${window.location.search}`);
  // Loaded before the page is drawn, so that the page does not move below the reader.
  if (!inquiry.isFormSubmitted && inquiry.correction) await withWords(import('./CorrectionNotice.tsx'));
  const { load, Page } = await withWords(pages[open]()).catch(orReload);
  return { Page, data: await load() };
}

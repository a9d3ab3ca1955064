import { Trans } from '@lingui/react/macro';
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '#kit/browser/ui/Button.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { AppError, FieldErrors } from '#kit/contract/errors.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import { ErrorSummary, type Problem } from './ErrorSummary.tsx';
import { infoOf } from './form-context.ts';

/** A newer version on the server than the one that the form started from. */
interface Stale {
  rowVersion: number;
  savedAt: string;
}

interface Shown {
  endpoint: Endpoint;
  form: RefObject<HTMLFormElement | null>;
  /** Shows errors beside the fields only. */
  isShort: boolean | undefined;
}

/** The problems that a form lists above its fields, until they are put right or it is sent again. */
export function useProblems({ endpoint, form, isShort }: Shown) {
  const [announced, setAnnounced] = useState<Problem[]>([]);
  /** Those of the announced problems that are not put right since. */
  const [problems, setProblems] = useState<Problem[]>([]);
  const [stale, setStale] = useState<Stale>();
  const clear = () => {
    setProblems([]);
    setStale(undefined);
  };
  const take = useSummary(clear);
  const announce = (found: Problem[]) => {
    setAnnounced(found);
    setProblems(found);
  };

  /** Lists the errors of fields after the others. Returns the field to focus where they are seen without a list. */
  const show = (found: FieldErrors, others: Problem[]): string | undefined => {
    take();
    const own = inPageOrder(found, form.current, (name) => infoOf(endpoint, name)?.label);
    // One or two errors in a drawer, and those of a short form, are in view beside their fields: a list would repeat them.
    const isSeen = ({ field }: Problem) => form.current?.querySelector(`[name="${field}"]`);
    const isPlain =
      others.length === 0 && ((isShort && own[0]?.field && own.every(isSeen)) || isFewInDrawer(form.current, own));
    announce(isPlain ? [] : [...others, ...own]);
    return isPlain ? own[0]?.field : undefined;
  };

  return {
    ...{ announced, problems, stale, announce, show, setProblems, setStale },
    begin: () => {
      take();
      clear();
    },
  };
}

/** Whether a form is in a panel at the side and has no more than two problems, each beside a field of its own. */
function isFewInDrawer(form: HTMLFormElement | null, problems: Problem[]) {
  const has = ({ field }: Problem) =>
    [...(form?.elements ?? [])].some((control) => control.getAttribute('name') === field);
  return (
    form?.closest('dialog[data-kind="side"]') != null &&
    problems.length > 0 &&
    problems.length <= 2 &&
    problems.every(has)
  );
}

/** Names of groups that follow the reader's language; `data-group` has the words of the others. */
const groupNames = new WeakMap<Element, Text>();

/** Names the element around a group of fields. */
export const nameGroup = (name: Text | undefined) => (element: Element | null) => {
  if (element && name) groupNames.set(element, name);
};

/** The problems in the order of their fields on the page, each with the heading of its group. */
function inPageOrder(
  errors: FieldErrors,
  form: HTMLFormElement | null,
  labelOf: (name: string) => Text | undefined,
): Problem[] {
  const all = [...(form?.querySelectorAll<HTMLElement>('[name]') ?? [])];
  const names = [...new Set(all.map((element) => element.getAttribute('name') ?? ''))];
  const position = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  const named = new Map<Element, Text>();
  const groupOf = (element: Element | undefined) => {
    const group = element?.closest<HTMLElement>('[data-group]');
    if (!group) return undefined;
    const name = named.get(group) ?? groupNames.get(group) ?? verbatim(group.dataset.group ?? '');
    named.set(group, name); // One text for each group: the summary compares them.
    return name;
  };
  return Object.entries(errors)
    .sort(([left], [right]) => position(left) - position(right))
    .map(([name, text]) => {
      const element = all.find((candidate) => candidate.getAttribute('name') === name);
      return {
        text,
        label: labelOf(name),
        field: name,
        group: groupOf(element),
      };
    });
}

let clearSummary: (() => void) | undefined;

/** A page has one list of problems: the form that was submitted last fills it. */
function useSummary(clear: () => void) {
  const own = useRef(clear); // The setters never change, so the first value is kept.
  const take = useCallback(() => {
    if (clearSummary !== own.current) clearSummary?.();
    clearSummary = own.current;
  }, []);
  useEffect(
    () => () => {
      if (clearSummary === own.current) clearSummary = undefined;
    },
    [],
  );
  return take;
}

/** The place at the top of the page, above its heading, where forms list their problems. */
export const summarySlotId = 'problems';

/** Shows a form's list of problems in the slot of its page or dialog. */
function InSummarySlot({ form, children }: { form: HTMLFormElement | null; children: ReactNode }) {
  // Nothing behind an open dialog can be reached, so a form in a dialog lists its problems there.
  const slot = form?.closest('dialog')?.querySelector('[data-problems]') ?? document.getElementById(summarySlotId);
  return slot ? createPortal(children, slot) : children;
}

/** Says that the page was changed elsewhere; the user chooses the saved version or their own. */
function StaleSummary({ stale, keepMine }: { stale: Stale; keepMine: () => void }) {
  // The summary takes the focus for each new list.
  const [problems] = useState(() => [
    { text: text`This page was changed on another device at ${{ time: showTime(stale.savedAt) }}.` },
  ]);
  return (
    <ErrorSummary problems={problems}>
      <div className="summary-buttons">
        <Button onClick={() => window.location.reload()}>
          <Trans>Show the saved version</Trans>
        </Button>
        <Button onClick={keepMine}>
          <Trans>Keep my version</Trans>
        </Button>
      </div>
    </ErrorSummary>
  );
}

interface Listed {
  form: HTMLFormElement | null;
  problems: ReturnType<typeof useProblems>;
  /** Those that are not put right yet. */
  remaining: Problem[];
  keepMine: (rowVersion: number) => void;
}

/** Draws what a form lists above its fields. */
export const drawProblems = ({ form, problems: { announced, stale }, remaining, keepMine }: Listed) => (
  <>
    {remaining.length > 0 && (
      <InSummarySlot form={form}>
        <ErrorSummary problems={announced} remaining={remaining} />
      </InSummarySlot>
    )}
    {stale && (
      <InSummarySlot form={form}>
        <StaleSummary stale={stale} keepMine={() => keepMine(stale.rowVersion)} />
      </InSummarySlot>
    )}
  </>
);

/** The version on the server, as a `stale` refusal names it. */
export const staleOf = ({ data }: AppError): Stale => ({
  rowVersion: Number(data?.rowVersion ?? 0),
  savedAt: String(data?.savedDateTime ?? ''),
});

import { Trans } from '@lingui/react/macro';
import {
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { useActKey } from '#kit/browser/data/act-key.ts';
import { call, readAgain } from '#kit/browser/data/call.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import { showTime } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useUnsaved } from '#kit/browser/ui/unsaved.tsx';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError, type FieldErrors, unexpectedMessage } from '#kit/contract/errors.ts';
import { fieldErrors, fieldInfo } from '#kit/contract/fields.ts';
import { isSame, type Text, text } from '#kit/contract/text.ts';
import type { Draft } from './draft.ts';
import { ErrorSummary, focusOn, type Problem } from './ErrorSummary.tsx';

export type Values = Record<string, unknown>;

/** The state of the files being sent. `percent` goes in tens; undefined while the connection is lost. */
type Upload = { kind: 'sending'; percent: number | undefined; cancel: () => void } | { kind: 'cancelled' };

export interface FormContext {
  endpoint: Endpoint;
  values: Values;
  errors: FieldErrors;
  /** Words of others about a field, shown beside it, by field. */
  notes: Readonly<Record<string, string>>;
  files: Record<string, File>;
  isSending: boolean;
  upload: Upload | undefined;
  /** For a field with parts, `part` names the changed one, such as `bands.2.grade`, whose error is cleared with it. */
  change: (name: string, value: unknown, part?: string) => void;
  /** Saves the draft before something else takes the screen: on weak phones the camera closes the page. */
  saveDraft: () => void;
  /** Sets a file, or removes it with undefined; a message instead when the file was refused. */
  choose: (name: string, file: File | undefined, refusal?: Text) => void;
}

export const ApiFormContext = createContext<FormContext | undefined>(undefined);

/** The form of a field: values, errors, and how to change them. */
export function useApiForm(): FormContext {
  const form = use(ApiFormContext);
  if (!form) throw new Error('A field must stand inside an ApiForm.');
  return form;
}

function infoOf({ input }: Endpoint, name: string) {
  const shape = (input as { shape?: Record<string, Parameters<typeof fieldInfo.get>[0]> }).shape ?? {};
  const field = shape[name]; // A file is not in the schema.
  return field && fieldInfo.get(field);
}

/** The contract's facts about a field of this form. */
export function useFieldInfo(name: string) {
  const { endpoint } = useApiForm();
  const info = infoOf(endpoint, name);
  if (!info) throw new Error(`${name} is no field of ${endpoint.method} ${endpoint.path}.`);
  return info;
}

interface Props<Operation extends Endpoint> {
  endpoint: Operation;
  initial: Values;
  /** Keeps typed values until they are saved, and restores those of an earlier visit. */
  draft?: Draft;
  /** Words of others about a field, shown beside it, by field. */
  notes?: Readonly<Record<string, string>>;
  /** Sent with the fields and overrides their values: ids, versions, locked values. */
  hiddenValues?: Values;
  /** Checks that the schema cannot make; messages by field. */
  validate?: (values: Values, files: Record<string, File>) => FieldErrors;
  /** Files that are missing as far as this page knows. */
  needsFiles?: (values: Values, files: Record<string, File>) => FieldErrors;
  /** Whether another device has saved since this form was opened, perhaps with the missing files; the server then decides. */
  isOutdated?: () => Promise<boolean>;
  /** Refusals that a toast shows too, by field. */
  toastsFor?: (errors: FieldErrors) => { title: string; text?: string }[];
  onDone: (answer: OutputOf<Operation>, input: InputOf<Operation>) => unknown;
  /** Called when an upload was cancelled, perhaps too late: stored data may have to be read again. */
  onCancelled?: () => void;
  /** Called when sending starts and ends. */
  onSending?: (isSending: boolean) => void;
  /** Handles a refusal besides showing it, such as by leaving a form that is already submitted. */
  onRefused?: (refused: AppError) => void;
  /** Handles a newer version on the server than the one this form started from. */
  onStale?: (refused: AppError, values: Values) => void;
  /** Refusals about other pages, as links, or about what can be done instead with the form's values. */
  elsewhere?: (refused: AppError, values: Values) => Problem[];
  /** What else on the page keeps this form from being sent, such as another form that is half filled in. */
  further?: () => Problem[];
  /** Asks before a valid form is sent: a dialog, whose confirmation sends it. */
  ask?: (send: () => Promise<void>, onClose: () => void) => ReactNode;
  /** Shows errors beside the fields only and focuses the first: for a few fields that fit one screen. */
  isShort?: boolean;
  /** Validates a field as soon as it is left; `filled` only if it is not empty. */
  validatesOnLeave?: boolean | 'filled';
  /** Clears the form after it was sent, to enter another record. */
  resetsAfterSend?: boolean;
  children: ReactNode;
  /** The buttons; given whether a save is running and whether there are changes since the last one. */
  buttons: (isSending: boolean, isChanged: boolean) => ReactNode;
  className?: string;
  label?: string;
}

/**
 * A form that submits to an endpoint. It validates with the endpoint's schema, shows every problem in the summary and
 * beside its field, moves the focus there, keeps typed values when a call fails, and cannot be submitted twice at once.
 */
export function ApiForm<Operation extends Endpoint>(props: Props<Operation>) {
  const { endpoint, initial, draft, hiddenValues, validate, toastsFor, onDone, onRefused, elsewhere, resetsAfterSend } =
    props;
  const { onSending, onCancelled, notes = noNotes } = props;
  const { children, buttons } = props;
  const toast = useToast();
  const confirmed = useConfirmed();
  const [first] = useState(initial);
  const [restored] = useState(() => ({ ...first, ...onlyOf(first, draft?.answers) }));
  const [values, setValues] = useState(draft?.answers ? restored : first);
  const [saved, setSaved] = useState(first);
  const [errors, setErrors] = useState<FieldErrors>({});
  /** Why a chosen file was refused, until another is chosen. */
  const [refusals, setRefusals] = useState<FieldErrors>({});
  const [files, setFiles] = useState<Record<string, File>>({});
  const [announced, setAnnounced] = useState<Problem[]>([]);
  /** Those of the announced problems that are not put right since. */
  const [problems, setProblems] = useState<Problem[]>([]);
  const announce = (found: Problem[]) => {
    setAnnounced(found);
    setProblems(found);
  };
  const [stale, setStale] = useState<{ rowVersion: number; savedAt: string }>();
  const [isSending, setSending] = useState(false);
  const [upload, setUpload] = useState<Upload>();
  const element = useRef<HTMLFormElement>(null);
  const takeSummary = useSummary(() => {
    setProblems([]);
    setStale(undefined);
  });
  const actKey = useActKey();
  const keepFocus = useKeptFocus(isSending);
  const focusLater = useLaterFocus(isSending, element);
  const isOpen = useIsOpen();
  const saveDraft = useDraft(draft, values, draft?.answers ? restored : first);

  const change = useCallback((name: string, value: unknown, part = name) => {
    setUpload(endCancelled);
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => withoutPart(before, part));
  }, []);
  const choose = useCallback((name: string, file: File | undefined, refusal?: Text) => {
    setUpload(endCancelled);
    setFiles((before) => (file ? { ...before, [name]: file } : without(before, name)));
    setErrors((before) => (refusal ? { ...before, [name]: refusal } : without(before, name)));
    setRefusals((before) => (refusal ? { ...before, [name]: refusal } : without(before, name)));
  }, []);

  const labelOf = (name: string) => infoOf(endpoint, name)?.label;
  const showErrors = (found: FieldErrors, further: Problem[] = []) => {
    setErrors(found);
    takeSummary();
    const own = inPageOrder(found, element.current, labelOf);
    // One or two errors in a drawer, and those of a short form, are in view beside their fields: a list would repeat them.
    const isSeen = ({ field }: Problem) => element.current?.querySelector(`[name="${field}"]`);
    const isPlain =
      further.length === 0 && ((props.isShort && own[0]?.field && own.every(isSeen)) || isShort(element.current, own));
    announce(isPlain ? [] : [...further, ...own]);
    if (isPlain) focusLater(own[0]?.field);
    for (const warning of toastsFor?.(found) ?? []) toast({ kind: 'warning', ...warning });
  };

  const findErrors = (input: Values): FieldErrors => {
    const { error } = endpoint.input.safeParse(input);
    return { ...(error ? fieldErrors(error) : {}), ...validate?.(values, files) };
  };
  const findMissing = () => props.needsFiles?.(values, files) ?? {};
  const [left, setLeft] = useState<{ name: string }>();
  // A field may put its value in order as it is left, so it is checked once that is done.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only leaving a field is a reason to check it.
  useEffect(() => {
    if (!left) return;
    const { name } = left;
    if (props.validatesOnLeave === 'filled' && isEmpty(values[name])) return;
    const { error } = endpoint.input.safeParse({ ...values, ...hiddenValues });
    const message = error && fieldErrors(error)[name];
    if (message) setErrors((before) => ({ ...before, [name]: message }));
  }, [left]);

  /** Whether there is something to send; else it shows what is wrong. */
  const isInOrder = (input: Values, missing: FieldErrors): boolean => {
    const all = { ...missing, ...findErrors(input) };
    // A file that was refused is missing, but its own reason says more.
    const found = Object.fromEntries(Object.entries(all).map(([name, text]) => [name, refusals[name] ?? text]));
    const others = props.further?.() ?? [];
    if (Object.keys(found).length + others.length === 0) return true;
    showErrors(
      found,
      others.map((problem) => ({ ...problem, isFurther: true })),
    );
    return false;
  };
  const [isAsking, setAsking] = useState(false);

  const send = async (over: Values = {}) => {
    if (isSending) return;
    const input = { ...values, ...hiddenValues, ...over };
    const missing = findMissing();
    const isOnlyMissing = Object.keys(missing).length > 0 && Object.keys(findErrors(input)).length === 0;
    const isOutdated = isOnlyMissing && (await props.isOutdated?.().catch(() => false));
    if (!isInOrder(input, isOutdated ? {} : missing)) return;

    keepFocus();
    setSending(true);
    onSending?.(true);
    draft?.pause();
    takeSummary();
    setProblems([]);
    setStale(undefined);
    const cancel = new AbortController();
    const showProgress = (sent: number | undefined) => {
      const percent = sent === undefined ? undefined : Math.floor(sent * 10) * 10;
      setUpload((before) =>
        before?.kind === 'sending' && before.percent === percent
          ? before
          : { kind: 'sending', percent, cancel: () => cancel.abort() },
      );
    };
    if (Object.keys(files).length > 0) showProgress(0);
    try {
      const key = actKey.keyFor(input, files);
      const answer = await confirmed(() =>
        call(endpoint, input as InputOf<Operation>, {
          files,
          key,
          onProgress: showProgress,
          signal: cancel.signal,
          // Reading data again may remove this form, so `onDone` comes first.
          readsLater: true,
        }),
      );
      actKey.end();
      if (isRefusal(answer)) return announce([{ text: answer.text ?? unexpectedMessage }]);
      setErrors({});
      draft?.end(resetsAfterSend);
      if (!isOpen.current) return readAgain(endpoint, input); // The user has moved on, so the focus stays.
      if (resetsAfterSend) {
        setValues(first);
        setFiles({});
      } else setSaved(values);
      await onDone(answer, input as InputOf<Operation>);
      await readAgain(endpoint, input);
    } catch (error) {
      const refused = error instanceof AppError ? error : new AppError('unexpected', unexpectedMessage);
      if (!isOpen.current) {
        draft?.flush();
        return toast({ kind: 'warning', title: translate(refused.text) });
      }
      onRefused?.(refused);
      if (refused.code === 'stale') {
        if (!props.onStale) return setStale(staleOf(refused));
        props.onStale(refused, values);
        return readAgain(endpoint, input); // The data around the form is as old as the form was.
      }
      draft?.flush();
      if (cancel.signal.aborted) {
        setUpload({ kind: 'cancelled' });
        element.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
        return onCancelled?.();
      }
      const further = elsewhere?.(refused, values) ?? [];
      const general = Object.keys(refused.fields).length + further.length === 0 ? [{ text: refused.text }] : [];
      showErrors(refused.fields, [...further, ...general]);
    } finally {
      setSending(false);
      onSending?.(false);
      setUpload(endSending);
    }
  };

  const findRemaining = () => {
    if (problems.length === 0) return problems;
    const wrong = { ...findMissing(), ...findErrors({ ...values, ...hiddenValues }), ...errors };
    const others = props.further?.() ?? [];
    return problems.filter(({ field, isFurther, text: words, href }) =>
      isFurther
        ? others.some((other) => isSame(other.text, words) && other.href === href)
        : !field || wrong[field] !== undefined,
    );
  };
  // What is put right leaves the list, and does not come back while it is typed on.
  const remaining = findRemaining();
  useEffect(() => {
    if (remaining.length < problems.length) setProblems(remaining);
  });

  const isChanged = values !== saved || Object.keys(files).length > 0;
  useUnsaved(isChanged);
  const context = useMemo(
    () => ({ endpoint, values, errors, notes, files, isSending, upload, change, choose, saveDraft }),
    [endpoint, values, errors, notes, files, isSending, upload, change, choose, saveDraft],
  );
  return (
    <ApiFormContext value={context}>
      <form
        ref={element}
        noValidate
        aria-label={props.label}
        className={props.className}
        onKeyDown={(event) => {
          // Ctrl+Enter saves from every field, also one of several lines.
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
        }}
        onBlur={({ target, relatedTarget }) => {
          if (isSending) return;
          saveDraft();
          const { name } = target as unknown as HTMLInputElement;
          // Of a field with several controls, such as a date, the reader may still be within it.
          const isWithin = (relatedTarget as HTMLInputElement | null)?.name === name;
          if (props.validatesOnLeave && name && !isWithin) setLeft({ name });
        }}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!props.ask) return void send();
          if (!isSending && isInOrder({ ...values, ...hiddenValues }, findMissing())) setAsking(true);
        }}
      >
        {isAsking &&
          props.ask?.(
            () => send(),
            () => setAsking(false),
          )}
        {remaining.length > 0 && (
          <InSummarySlot form={element.current}>
            <ErrorSummary problems={announced} remaining={remaining} />
          </InSummarySlot>
        )}
        {stale && (
          <InSummarySlot form={element.current}>
            <ErrorSummary
              problems={[
                { text: text`This page was changed on another device at ${{ time: showTime(stale.savedAt) }}.` },
              ]}
            >
              <div className="summary-buttons">
                <Button onClick={() => window.location.reload()}>
                  <Trans>Show the saved version</Trans>
                </Button>
                <Button onClick={() => void send({ rowVersion: stale.rowVersion })}>
                  <Trans>Keep my version</Trans>
                </Button>
              </div>
            </ErrorSummary>
          </InSummarySlot>
        )}
        {/* Values typed during a save would be lost: they would be neither in the save nor in a draft. */}
        <div className="questions" inert={isSending}>
          {children}
        </div>
        {buttons(isSending, isChanged)}
      </form>
    </ApiFormContext>
  );
}

const noNotes = {};

const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || value === '--';

const endCancelled = (upload: Upload | undefined) => (upload?.kind === 'cancelled' ? undefined : upload);
const endSending = (upload: Upload | undefined) => (upload?.kind === 'sending' ? undefined : upload);

/** The draft's values of fields that this form still has. */
const onlyOf = (asked: Values, answers: Values | null | undefined) =>
  Object.fromEntries(Object.entries(answers ?? {}).filter(([name]) => name in asked));

/** Whether the form is still on the page when a late answer arrives. */
function useIsOpen() {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

/** An inert form loses the focus while it is sent; afterwards the focus returns, unless it has moved elsewhere. */
function useKeptFocus(isSending: boolean) {
  const kept = useRef<Element>(null);
  useEffect(() => {
    if (isSending) return;
    if (document.activeElement === document.body && kept.current instanceof HTMLElement)
      kept.current.focus({ preventScroll: true });
    kept.current = null;
  }, [isSending]);
  return () => {
    kept.current = document.activeElement;
  };
}

/** Moves the focus to a field once the form is no longer inert and shows the errors. */
function useLaterFocus(isSending: boolean, form: RefObject<HTMLElement | null>) {
  const [wanted, setWanted] = useState<{ field: string }>();
  useEffect(() => {
    if (isSending || !wanted) return;
    focusOn(wanted.field, form.current);
    setWanted(undefined);
  }, [isSending, wanted, form]);
  return (field: string | undefined) => setWanted(field === undefined ? undefined : { field });
}

/** Whether a form is in a panel at the side and has no more than two problems, each beside a field of its own. */
function isShort(form: HTMLFormElement | null, problems: Problem[]) {
  const has = ({ field }: Problem) =>
    [...(form?.elements ?? [])].some((control) => control.getAttribute('name') === field);
  return (
    form?.closest('dialog[data-kind="side"]') != null &&
    problems.length > 0 &&
    problems.length <= 2 &&
    problems.every(has)
  );
}

/**
 * Passes every change to the draft, and sends it when the user leaves. Returns a function that sends it immediately.
 */
function useDraft(draft: Draft | undefined, values: Values, before: Values) {
  const seen = useRef(before);
  useEffect(() => {
    if (seen.current !== values) draft?.change(values);
    seen.current = values;
  }, [draft, values]);
  useEffect(() => {
    const leaving = () => document.visibilityState === 'hidden' && draft?.flush(true);
    document.addEventListener('visibilitychange', leaving);
    window.addEventListener('pagehide', leaving);
    return () => {
      document.removeEventListener('visibilitychange', leaving);
      window.removeEventListener('pagehide', leaving);
      draft?.flush();
    };
  }, [draft]);
  return useCallback(() => draft?.flush(), [draft]);
}

const without = <Value,>(values: Record<string, Value>, name: string): Record<string, Value> => {
  const { [name]: _, ...others } = values;
  return others;
};

/** The errors without those of a field or its parts. */
function withoutPart(errors: FieldErrors, part: string): FieldErrors {
  const others = Object.entries(errors).filter(([name]) => name !== part && !name.startsWith(`${part}.`));
  return others.length === Object.keys(errors).length ? errors : Object.fromEntries(others);
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

function InSummarySlot({ form, children }: { form: HTMLFormElement | null; children: ReactNode }) {
  // Nothing behind an open dialog can be reached, so a form in a dialog lists its problems there.
  const slot = form?.closest('dialog')?.querySelector('[data-problems]') ?? document.getElementById(summarySlotId);
  return slot ? createPortal(children, slot) : children;
}

function isRefusal(answer: unknown): answer is { isSuccess: false; text?: Text } {
  return typeof answer === 'object' && answer !== null && 'isSuccess' in answer && answer.isSuccess === false;
}

const staleOf = ({ data }: AppError) => ({
  rowVersion: Number(data?.rowVersion ?? 0),
  savedAt: String(data?.savedDateTime ?? ''),
});

/** The problems in the order of their fields on the page, each with the heading of its group. */
function inPageOrder(
  errors: FieldErrors,
  form: HTMLFormElement | null,
  labelOf: (name: string) => Text | undefined,
): Problem[] {
  const all = [...(form?.querySelectorAll<HTMLElement>('[name]') ?? [])];
  const names = [...new Set(all.map((element) => element.getAttribute('name') ?? ''))];
  const position = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  return Object.entries(errors)
    .sort(([left], [right]) => position(left) - position(right))
    .map(([name, text]) => {
      const element = all.find((candidate) => candidate.getAttribute('name') === name);
      return {
        text,
        label: labelOf(name),
        field: name,
        group: element?.closest<HTMLElement>('[data-group]')?.dataset.group,
      };
    });
}

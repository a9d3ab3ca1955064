import { Trans } from '@lingui/react/macro';
import {
  createContext,
  type FormEvent,
  type ReactNode,
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
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showMoment, showTime } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError, type FieldErrors, unexpectedMessage } from '#kit/contract/errors.ts';
import { fieldErrors, fieldInfo } from '#kit/contract/fields.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Draft } from './draft.ts';
import { ErrorSummary, focusOn, type Problem } from './ErrorSummary.tsx';

export type Values = Record<string, unknown>;

/** What becomes of the files that are on their way. `percent` goes in tens; undefined while the line is away. */
type Upload = { kind: 'sending'; percent: number | undefined; cancel: () => void } | { kind: 'cancelled' };

export interface FormContext {
  endpoint: Endpoint;
  values: Values;
  errors: FieldErrors;
  files: Record<string, File>;
  isSending: boolean;
  upload: Upload | undefined;
  /** Of a field with parts, `part` names the one that was changed, as `bands.2.grade`; its error goes with it. */
  change: (name: string, value: unknown, part?: string) => void;
  /** Keeps what was typed before something else takes the screen: on weak phones the camera ends the page. */
  saveDraft: () => void;
  /** Takes a file, or undefined to remove it; a message instead when the file was refused. */
  choose: (name: string, file: File | undefined, refusal?: Text) => void;
}

/** The form that fields stand in. */
export const ApiFormContext = createContext<FormContext | undefined>(undefined);

/** The form a field stands in: what was entered, what is wrong, and how to change it. */
export function useApiForm(): FormContext {
  const form = use(ApiFormContext);
  if (!form) throw new Error('A field must stand inside an ApiForm.');
  return form;
}

function infoOf({ input }: Endpoint, name: string) {
  const shape = (input as { shape?: Record<string, Parameters<typeof fieldInfo.get>[0]> }).shape ?? {};
  const field = shape[name]; // A file is no field of the schema.
  return field && fieldInfo.get(field);
}

/** What the contract says about a field of this form. */
export function useFieldInfo(name: string) {
  const { endpoint } = useApiForm();
  const info = infoOf(endpoint, name);
  if (!info) throw new Error(`${name} is no field of ${endpoint.method} ${endpoint.path}.`);
  return info;
}

interface Props<Operation extends Endpoint> {
  endpoint: Operation;
  /** What stands in the fields at first. */
  initial: Values;
  /** Keeps what is typed until it is saved, and what it kept of an earlier visit. */
  draft?: Draft;
  /** Sent along, and over what stands in the fields: ids, versions, locked values. */
  hiddenValues?: Values;
  /** Required files and other things the schema cannot see; messages by field. */
  validate?: (values: Values, files: Record<string, File>) => FieldErrors;
  /** Refusals that are also said in a toast, by field. */
  toastsFor?: (errors: FieldErrors) => { title: string; text?: string }[];
  onDone: (answer: OutputOf<Operation>, input: InputOf<Operation>) => unknown;
  /** An upload was cancelled, perhaps too late: what is stored may have to be read again. */
  onCancelled?: () => void;
  /** Told when sending begins and ends. */
  onSending?: (isSending: boolean) => void;
  /** Does what a refusal asks for besides showing it, such as leaving a form that is already submitted. */
  onRefused?: (refused: AppError) => void;
  /** Takes over when the server has a newer version than this form was opened with. */
  onStale?: (refused: AppError, values: Values) => void;
  /** Refusals about other pages, as links. */
  elsewhere?: (refused: AppError) => Problem[];
  /** Says what is wrong with a field as soon as it is left. */
  validatesOnLeave?: boolean;
  /** Empties the form after it was sent, to enter another one. */
  resetsAfterSend?: boolean;
  children: ReactNode;
  /** The buttons, and what they need to know: a save is under way, something was entered since the last one. */
  buttons: (isSending: boolean, isChanged: boolean) => ReactNode;
  className?: string;
  label?: string;
}

/**
 * A form that sends itself to an endpoint. It judges with the endpoint's own schema and shows every problem at once, in
 * the summary and beside the field; keeps what was typed when a call fails; puts the server's messages in the same
 * places; moves the focus there; and cannot be sent twice at the same time.
 */
export function ApiForm<Operation extends Endpoint>(props: Props<Operation>) {
  const { endpoint, initial, draft, hiddenValues, validate, toastsFor, onDone, onRefused, elsewhere, resetsAfterSend } =
    props;
  const { onSending, onCancelled } = props;
  const { children, buttons } = props;
  const toast = useToast();
  const confirmed = useConfirmed();
  const [first] = useState(initial);
  const [restored] = useState(() => ({ ...first, ...onlyOf(first, draft?.answers) }));
  const [values, setValues] = useState(draft?.answers ? restored : first);
  const [saved, setSaved] = useState(first);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [files, setFiles] = useState<Record<string, File>>({});
  const [problems, setProblems] = useState<Problem[]>([]);
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
  const focusLater = useLaterFocus(isSending);
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
  }, []);

  const labelOf = (name: string) => infoOf(endpoint, name)?.label;
  const showErrors = (found: FieldErrors, further: Problem[] = []) => {
    setErrors(found);
    takeSummary();
    const listed = inPageOrder(found, element.current, labelOf);
    // In a panel at the side one or two stand in sight beside their fields, and a list above would only say them again.
    const isPlain = isShort(element.current, listed) && further.length === 0;
    setProblems(isPlain ? [] : [...listed, ...further]);
    if (isPlain) focusLater(listed[0]?.field);
    for (const warning of toastsFor?.(found) ?? []) toast({ kind: 'warning', ...warning });
  };

  const judgeField = (name: string) => {
    const { error } = endpoint.input.safeParse({ ...values, ...hiddenValues });
    const message = error && fieldErrors(error)[name];
    if (message) setErrors((before) => ({ ...before, [name]: message }));
  };

  const send = async (over: Values = {}) => {
    if (isSending) return;
    const input = { ...values, ...hiddenValues, ...over };
    const parsed = endpoint.input.safeParse(input);
    const found = { ...(parsed.error ? fieldErrors(parsed.error) : {}), ...validate?.(values, files) };
    if (Object.keys(found).length > 0) return showErrors(found);

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
          // What is read again may take this form away, so `onDone` comes first.
          readsLater: true,
        }),
      );
      actKey.end();
      if (isRefusal(answer)) return setProblems([{ text: answer.text ?? unexpectedMessage }]);
      setErrors({});
      draft?.end(resetsAfterSend);
      if (!isOpen.current) return readAgain(endpoint, input); // The reader has gone elsewhere, and is not fetched back.
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
        return readAgain(endpoint, input); // What the form was opened from is as old as the form was.
      }
      draft?.flush();
      if (cancel.signal.aborted) {
        setUpload({ kind: 'cancelled' });
        element.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
        return onCancelled?.();
      }
      const further = elsewhere?.(refused) ?? [];
      const general = Object.keys(refused.fields).length + further.length === 0 ? [{ text: refused.text }] : [];
      showErrors(refused.fields, [...further, ...general]);
    } finally {
      setSending(false);
      onSending?.(false);
      setUpload(endSending);
    }
  };

  const context = useMemo(
    () => ({ endpoint, values, errors, files, isSending, upload, change, choose, saveDraft }),
    [endpoint, values, errors, files, isSending, upload, change, choose, saveDraft],
  );
  return (
    <ApiFormContext value={context}>
      <form
        ref={element}
        noValidate
        aria-label={props.label}
        className={props.className}
        onBlur={({ target }) => {
          if (isSending) return;
          saveDraft();
          if (props.validatesOnLeave) judgeField((target as unknown as HTMLInputElement).name);
        }}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void send();
        }}
      >
        {problems.length > 0 && (
          <InSummarySlot form={element.current}>{<ErrorSummary problems={problems} />}</InSummarySlot>
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
                  <Trans>Show what is saved</Trans>
                </Button>
                <Button onClick={() => void send({ rowVersion: stale.rowVersion })}>
                  <Trans>Keep mine</Trans>
                </Button>
              </div>
            </ErrorSummary>
          </InSummarySlot>
        )}
        {draft?.since && (
          <Notice role="status" kind="good" className="restored">
            <Trans>Welcome back. We filled in what you entered on {showMoment(draft.since)}.</Trans>
          </Notice>
        )}
        {/* What would be entered while it is being saved would be neither in the save nor in a draft. */}
        <div className="questions" inert={isSending}>
          {children}
        </div>
        {buttons(isSending, values !== saved || Object.keys(files).length > 0)}
      </form>
    </ApiFormContext>
  );
}

const endCancelled = (upload: Upload | undefined) => (upload?.kind === 'cancelled' ? undefined : upload);
const endSending = (upload: Upload | undefined) => (upload?.kind === 'sending' ? undefined : upload);

/** Of a draft only what this form still asks. */
const onlyOf = (asked: Values, answers: Values | null | undefined) =>
  Object.fromEntries(Object.entries(answers ?? {}).filter(([name]) => name in asked));

/** Whether the form is still on the page, for what comes back late. */
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

/** What is inert while it is sent loses the focus; it comes back once that is done, unless it has gone elsewhere. */
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

/** Moves the focus to a field once the form is no longer inert and says what is wrong with it. */
function useLaterFocus(isSending: boolean) {
  const [wanted, setWanted] = useState<{ field: string }>();
  useEffect(() => {
    if (isSending || !wanted) return;
    focusOn(wanted.field);
    setWanted(undefined);
  }, [isSending, wanted]);
  return (field: string | undefined) => setWanted(field === undefined ? undefined : { field });
}

/** Whether a form stands in a panel at the side and has no more than two problems, each beside a field of its own. */
function isShort(form: HTMLFormElement | null, problems: Problem[]) {
  const has = ({ field }: Problem) =>
    [...(form?.elements ?? [])].some((control) => control.getAttribute('name') === field);
  return form?.closest('.dialog-side') != null && problems.length > 0 && problems.length <= 2 && problems.every(has);
}

/** Tells a draft of every change, and has it sent when the reader turns away. Gives what sends it at once. */
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

/** The errors but for those of a field, or of what is part of it. */
function withoutPart(errors: FieldErrors, part: string): FieldErrors {
  const others = Object.entries(errors).filter(([name]) => name !== part && !name.startsWith(`${part}.`));
  return others.length === Object.keys(errors).length ? errors : Object.fromEntries(others);
}

let clearSummary: (() => void) | undefined;

/** A page lists problems in one place: the form that has news takes it over from the other one. */
function useSummary(clear: () => void) {
  const own = useRef(clear); // The setters in it never change, so the first one serves for ever.
  const take = useCallback(() => {
    if (clearSummary !== own.current) clearSummary?.();
    clearSummary = own.current;
  }, []);
  useEffect(
    () => () => {
      clearSummary = undefined;
    },
    [],
  );
  return take;
}

/** The place at the top of the page where problems are listed, above its heading. */
export const summarySlotId = 'problems';

function InSummarySlot({ form, children }: { form: HTMLFormElement | null; children: ReactNode }) {
  // What lies behind an open dialog cannot be reached, so a form in one lists its problems there.
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

/** The problems in the order a reader meets their fields, each with the heading of its group. */
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

import { type RefObject, useEffect, useRef, useState } from 'react';
import { useActKey } from '#kit/browser/data/act-key.ts';
import { call, readAgain } from '#kit/browser/data/call.ts';
import { translate } from '#kit/browser/text.ts';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError, type FieldErrors, unexpectedMessage } from '#kit/contract/errors.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import { isSame, type Text } from '#kit/contract/text.ts';
import type { Draft } from './draft.ts';
import type { Problem } from './ErrorSummary.tsx';
import type { Upload, Values } from './form-context.ts';
import type { Entries } from './form-entries.ts';
import { useKeptFocus, useLaterFocus } from './form-focus.ts';
import { staleOf, type useProblems } from './form-problems.tsx';

/** How a form is checked and sent, and what its page does about the answer. */
export interface Sending<Operation extends Endpoint> {
  endpoint: Operation;
  /** Keeps typed values until they are saved, and restores those of an earlier visit. */
  draft?: Draft;
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
  /** Clears the form after it was sent, to enter another record. */
  resetsAfterSend?: boolean;
}

/** Checks a form with its endpoint's schema and sends it, once at a time; shows what is wrong and what is refused. */
export function useSending<Operation extends Endpoint>(
  props: Sending<Operation>,
  entries: Entries,
  problems: ReturnType<typeof useProblems>,
  form: RefObject<HTMLFormElement | null>,
) {
  const { endpoint, draft, hiddenValues } = props;
  const { values, files, errors, refusals, setErrors, setUpload } = entries;
  const [isSending, setSending] = useState(false);
  const toast = useToast();
  const confirmed = useConfirmed();
  const actKey = useActKey();
  const keepFocus = useKeptFocus(isSending);
  const focusLater = useLaterFocus(isSending, form);
  const isOpen = useIsOpen();

  const showErrors = (found: FieldErrors, others: Problem[] = []) => {
    setErrors(found);
    focusLater(problems.show(found, others));
    for (const warning of props.toastsFor?.(found) ?? []) toast({ kind: 'warning', ...warning });
  };
  const findErrors = (input: Values): FieldErrors => {
    const { error } = endpoint.input.safeParse(input);
    return { ...(error ? fieldErrors(error) : {}), ...props.validate?.(values, files) };
  };
  const findMissing = () => props.needsFiles?.(values, files) ?? {};

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

  /** Shows the progress of the files being sent, and how to cancel them. */
  const showProgress = (cancel: AbortController) => (sent: number | undefined) => {
    const percent = sent === undefined ? undefined : Math.floor(sent * 10) * 10;
    setUpload((before) =>
      before?.kind === 'sending' && before.percent === percent
        ? before
        : { kind: 'sending', percent, cancel: () => cancel.abort() },
    );
  };

  const handleAnswer = async (answer: OutputOf<Operation>, input: Values) => {
    actKey.end();
    if (isRefusal(answer)) return problems.announce([{ text: answer.text ?? unexpectedMessage }]);
    setErrors({});
    draft?.end(props.resetsAfterSend);
    if (!isOpen.current) return readAgain(endpoint, input); // The user has moved on, so the focus stays.
    if (props.resetsAfterSend) entries.reset();
    else entries.setSaved(values);
    await props.onDone(answer, input as InputOf<Operation>);
    await readAgain(endpoint, input);
  };

  const handleRefusal = (refused: AppError, input: Values, isCancelled: boolean) => {
    if (!isOpen.current) {
      draft?.flush();
      return toast({ kind: 'warning', title: translate(refused.text) });
    }
    props.onRefused?.(refused);
    if (refused.code === 'stale') {
      if (!props.onStale) return problems.setStale(staleOf(refused));
      props.onStale(refused, values);
      return readAgain(endpoint, input); // The data around the form is as old as the form was.
    }
    draft?.flush();
    if (isCancelled) {
      setUpload({ kind: 'cancelled' });
      form.current?.querySelector<HTMLElement>('[type=submit]')?.focus();
      return props.onCancelled?.();
    }
    const further = props.elsewhere?.(refused, values) ?? [];
    const general = Object.keys(refused.fields).length + further.length === 0 ? [{ text: refused.text }] : [];
    showErrors(refused.fields, [...further, ...general]);
  };

  const send = async (over: Values = {}) => {
    if (isSending) return;
    const input = { ...values, ...hiddenValues, ...over };
    const missing = findMissing();
    const isOnlyMissing = Object.keys(missing).length > 0 && Object.keys(findErrors(input)).length === 0;
    const isOutdated = isOnlyMissing && (await props.isOutdated?.().catch(() => false));
    if (!isInOrder(input, isOutdated ? {} : missing)) return;

    keepFocus();
    setSending(true);
    props.onSending?.(true);
    draft?.pause();
    problems.begin();
    const cancel = new AbortController();
    const onProgress = showProgress(cancel);
    if (Object.keys(files).length > 0) onProgress(0);
    try {
      const key = actKey.keyFor(input, files);
      // Reading data again may remove this form, so `onDone` comes first.
      const options = { files, key, onProgress, signal: cancel.signal, readsLater: true };
      await handleAnswer(await confirmed(() => call(endpoint, input as InputOf<Operation>, options)), input);
    } catch (error) {
      const refused = error instanceof AppError ? error : new AppError('unexpected', unexpectedMessage);
      await handleRefusal(refused, input, cancel.signal.aborted);
    } finally {
      setSending(false);
      props.onSending?.(false);
      setUpload(endSending);
    }
  };

  const whole = { ...values, ...hiddenValues };
  // What is put right leaves the list, and does not come back while it is typed on.
  const remaining = findRemaining();
  function findRemaining() {
    const listed = problems.problems;
    if (listed.length === 0) return listed;
    const wrong = { ...findMissing(), ...findErrors(whole), ...errors };
    const others = props.further?.() ?? [];
    return listed.filter(({ field, isFurther, text: words, href }) =>
      isFurther
        ? others.some((other) => isSame(other.text, words) && other.href === href)
        : !field || wrong[field] !== undefined,
    );
  }
  useEffect(() => {
    if (remaining.length < problems.problems.length) problems.setProblems(remaining);
  });

  return { isSending, send, remaining, isInOrder: () => isInOrder(whole, findMissing()) };
}

const endSending = (upload: Upload | undefined) => (upload?.kind === 'sending' ? undefined : upload);

function isRefusal(answer: unknown): answer is { isSuccess: false; text?: Text } {
  return typeof answer === 'object' && answer !== null && 'isSuccess' in answer && answer.isSuccess === false;
}

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

import {
  type FocusEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useUnsaved } from '#kit/browser/ui/unsaved.tsx';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { fieldErrors } from '#kit/contract/fields.ts';
import { afterPress } from './after-press.ts';
import { ApiFormContext, type Values } from './form-context.ts';
import { useDraft } from './form-draft.ts';
import { type Entries, useEntries } from './form-entries.ts';
import { drawProblems, useProblems } from './form-problems.tsx';
import { type Sending, useSending } from './form-sending.ts';

interface Props<Operation extends Endpoint> extends Sending<Operation> {
  initial: Values;
  /** Words of others about a field, shown beside it, by field. */
  notes?: Readonly<Record<string, string>>;
  /** Asks before a valid form is sent: a dialog, whose confirmation sends it. */
  ask?: (send: () => Promise<void>, onClose: () => void) => ReactNode;
  /** Shows errors beside the fields only and focuses the first: for a few fields that fit one screen. */
  isShort?: boolean;
  /** Validates a field as soon as it is left; `filled` only if it is not empty. */
  validatesOnLeave?: boolean | 'filled';
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
  const { endpoint, initial, draft, isShort, ask, notes = noNotes } = props;
  const form = useRef<HTMLFormElement>(null);
  const entries = useEntries(initial, draft);
  const problems = useProblems({ endpoint, form, isShort });
  const { isSending, send, remaining, isInOrder } = useSending(props, entries, problems, form);
  const [isAsking, setAsking] = useState(false);
  const { values, errors, files, upload, change, preset, choose, isChanged, restored } = entries;
  const saveDraft = useDraft(draft, values, restored);
  const leaveField = useCheckOnLeave(props, entries);
  useUnsaved(isChanged);
  const context = useMemo(
    () => ({ endpoint, values, errors, notes, files, isSending, upload, change, preset, choose, saveDraft }),
    [endpoint, values, errors, notes, files, isSending, upload, change, preset, choose, saveDraft],
  );
  return (
    <ApiFormContext value={context}>
      <form
        ref={form}
        noValidate
        aria-label={props.label}
        className={props.className}
        onKeyDown={submitByKey}
        onBlur={(event) => {
          if (isSending) return;
          saveDraft();
          leaveField(event);
        }}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (!ask) return void send();
          if (!isSending && isInOrder()) setAsking(true);
        }}
      >
        {isAsking &&
          ask?.(
            () => send(),
            () => setAsking(false),
          )}
        {drawProblems({
          form: form.current,
          problems,
          remaining,
          keepMine: (rowVersion) => void send({ rowVersion }),
        })}
        {/* Values typed during a save would be lost: they would be neither in the save nor in a draft. */}
        <div className="questions" inert={isSending}>
          {props.children}
        </div>
        {props.buttons(isSending, isChanged)}
      </form>
    </ApiFormContext>
  );
}

const noNotes = {};

/** Ctrl+Enter saves from every field, also one of several lines. */
function submitByKey(event: KeyboardEvent<HTMLFormElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
}

/** Checks a field when it is left, if the form wants that. */
function useCheckOnLeave(
  { endpoint, hiddenValues, validatesOnLeave }: Pick<Props<Endpoint>, 'endpoint' | 'hiddenValues' | 'validatesOnLeave'>,
  { values, setErrors }: Entries,
) {
  const [left, setLeft] = useState<{ name: string }>();
  // A field may put its value in order as it is left, so it is checked once that is done.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only leaving a field is a reason to check it.
  useEffect(() => {
    if (!left) return;
    const { name } = left;
    if (validatesOnLeave === 'filled' && isEmpty(values[name])) return;
    const { error } = endpoint.input.safeParse({ ...values, ...hiddenValues });
    const message = error && fieldErrors(error)[name];
    if (message) setErrors((before) => ({ ...before, [name]: message }));
  }, [left]);

  return ({ target, relatedTarget }: FocusEvent) => {
    const { name } = target as unknown as HTMLInputElement;
    // Of a field with several controls, such as a date, the reader may still be within it.
    const isWithin = (relatedTarget as HTMLInputElement | null)?.name === name;
    // Its message moves what stands below it.
    if (validatesOnLeave && name && !isWithin) afterPress(() => setLeft({ name }));
  };
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || value === '--';

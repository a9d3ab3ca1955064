import { useCallback, useState } from 'react';
import type { FieldErrors } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { Draft } from './draft.ts';
import type { Upload, Values } from './form-context.ts';

/** What is entered in a form, restored from the draft of an earlier visit, with the errors beside it. */
export function useEntries(initial: Values, draft: Draft | undefined) {
  const [first] = useState(initial);
  const [restored] = useState(() => (draft?.answers ? { ...first, ...onlyOf(first, draft.answers) } : first));
  const [{ values, saved }, setEntered] = useState({ values: restored, saved: first });
  const [files, setFiles] = useState<Record<string, File>>({});
  const [errors, setErrors] = useState<FieldErrors>({});
  /** Why a chosen file was refused, until another is chosen. */
  const [refusals, setRefusals] = useState<FieldErrors>({});
  const [upload, setUpload] = useState<Upload>();

  const change = useCallback((name: string, value: unknown, part = name) => {
    setUpload(endCancelled);
    setEntered(({ values, saved }) => ({ saved, values: { ...values, [name]: value } }));
    setErrors((before) => withoutPart(before, part));
  }, []);
  /** Fills in what the user need not choose: it counts as no change. */
  const preset = useCallback((name: string, value: unknown) => {
    setEntered(({ values, saved }) => {
      const after = { ...values, [name]: value };
      return { values: after, saved: values === saved ? after : saved };
    });
  }, []);
  const choose = useCallback((name: string, file: File | undefined, refusal?: Text) => {
    setUpload(endCancelled);
    setFiles((before) => (file ? { ...before, [name]: file } : without(before, name)));
    setErrors((before) => (refusal ? { ...before, [name]: refusal } : without(before, name)));
    setRefusals((before) => (refusal ? { ...before, [name]: refusal } : without(before, name)));
  }, []);
  /** Empties the form, to enter another record. */
  const reset = () => {
    setEntered(({ saved }) => ({ saved, values: first }));
    setFiles({});
  };
  const setSaved = (saved: Values) => setEntered(({ values }) => ({ values, saved }));
  const isChanged = values !== saved || Object.keys(files).length > 0;
  return {
    ...{ restored, values, files, errors, refusals, upload, isChanged },
    ...{ change, preset, choose, reset, setSaved, setErrors, setUpload },
  };
}

export type Entries = ReturnType<typeof useEntries>;

const endCancelled = (upload: Upload | undefined) => (upload?.kind === 'cancelled' ? undefined : upload);

/** The draft's values of fields that this form still has. */
const onlyOf = (asked: Values, answers: Values) =>
  Object.fromEntries(Object.entries(answers).filter(([name]) => name in asked));

const without = <Value>(values: Record<string, Value>, name: string): Record<string, Value> => {
  const { [name]: _, ...others } = values;
  return others;
};

/** The errors without those of a field or its parts. */
function withoutPart(errors: FieldErrors, part: string): FieldErrors {
  const others = Object.entries(errors).filter(([name]) => name !== part && !name.startsWith(`${part}.`));
  return others.length === Object.keys(errors).length ? errors : Object.fromEntries(others);
}

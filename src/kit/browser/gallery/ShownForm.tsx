import { type ReactNode, useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { ApiFormContext, type FormContext, type Values } from '#kit/browser/form/form-context.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import type { UploadRule } from '#kit/contract/uploads.ts';

interface Props extends Partial<Pick<FormContext, 'errors' | 'notes' | 'files' | 'isSending' | 'upload'>> {
  /** The schema of each field. Names are ids, so each is unique in the gallery. */
  fields?: z.core.$ZodShape;
  uploads?: Record<string, UploadRule>;
  values?: Values;
  children: ReactNode;
}

/** Fields in an `ApiForm` in a given state: invalid, sent or sending. Nothing is sent. */
export function ShownForm({ fields = {}, uploads, values: first = {}, children, ...state }: Props) {
  const [values, setValues] = useState(first);
  const operation = useMemo(
    () =>
      endpoint({
        method: 'POST',
        path: '/kit/form',
        access: 'public',
        input: z.object(fields),
        output: z.object({}),
        files: uploads,
      }),
    [fields, uploads],
  );
  const form = {
    endpoint: operation,
    values,
    errors: {},
    notes: {},
    files: {},
    isSending: false,
    upload: undefined,
    change: (name: string, value: unknown) => setValues((before) => ({ ...before, [name]: value })),
    saveDraft: () => undefined,
    preset: () => undefined,
    choose: () => undefined,
    ...state,
  };
  return (
    <ApiFormContext value={form}>
      <form noValidate inert={form.isSending} onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </ApiFormContext>
  );
}

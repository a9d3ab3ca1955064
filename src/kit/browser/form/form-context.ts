import { createContext, use } from 'react';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import type { Text } from '#kit/contract/text.ts';

export type Values = Record<string, unknown>;

/** The state of the files being sent. `percent` goes in tens; undefined while the connection is lost. */
export type Upload = { kind: 'sending'; percent: number | undefined; cancel: () => void } | { kind: 'cancelled' };

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
  /** Fills in what the user need not choose: it counts as no change. */
  preset: (name: string, value: unknown) => void;
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

/** The contract's facts about a field of an endpoint; undefined for a file, which is not in the schema. */
export function infoOf({ input }: Endpoint, name: string) {
  const shape = (input as { shape?: Record<string, Parameters<typeof fieldInfo.get>[0]> }).shape ?? {};
  const field = shape[name];
  return field && fieldInfo.get(field);
}

/** The contract's facts about a field of this form. */
export function useFieldInfo(name: string) {
  const { endpoint } = useApiForm();
  const info = infoOf(endpoint, name);
  if (!info) throw new Error(`${name} is no field of ${endpoint.method} ${endpoint.path}.`);
  return info;
}

import { Trans, useLingui } from '@lingui/react/macro';
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { accepted, headBytes, refusal } from '#kit/contract/uploads.ts';
import { useApiForm } from './ApiForm.tsx';
import { ErrorText, Hint } from './question.tsx';
import { showSize } from './show.ts';
import { said } from './text.ts';
import { useToast } from './toast.tsx';

interface Props {
  name: string;
  hint?: ReactNode;
  /** The address of what is already stored, if anything is. */
  stored?: string;
  /** Over the contract's label. */
  label?: string;
}

/** Chooses a file, says at once what is wrong with it, and shows what will be sent. The native input stays for everyone. */
export function UploadField({ name, hint, stored, label }: Props) {
  const { t } = useLingui();
  const { endpoint, files, errors, choose, keepTyped } = useApiForm();
  const rule = endpoint.files?.[name];
  if (!rule) throw new Error(`${name} is no file of ${endpoint.path}.`);
  const words = said(label ?? rule.label);
  const id = useId();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const file = files[name];
  const error = errors[name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    const head = new Uint8Array(await chosen.slice(0, headBytes).arrayBuffer());
    const refused = refusal(rule, { name: chosen.name, size: chosen.size, head });
    choose(name, refused ? undefined : chosen, refused);
    if (refused) toast({ kind: 'warning', title: said(refused) });
    if (input.current) input.current.value = ''; // So that the same file can be chosen again.
  };
  return (
    <div className={`question${error ? ' question-wrong' : ''}`}>
      <span className="label" id={`${id}-label`}>
        {words}
      </span>
      <Hint id={`${id}-hint`}>{hint}</Hint>
      <ErrorText id={`${id}-error`} error={error} />
      <div className="upload">
        <Preview file={file} stored={stored} words={words} />
        <div className="upload-side">
          {file && (
            <p className="upload-name">
              <b>{file.name}</b> · {showSize(file.size)}
            </p>
          )}
          {!file && stored && (
            <p className="upload-name">
              <Trans>Uploaded</Trans>
            </p>
          )}
          <input
            ref={input}
            className="file-input"
            type="file"
            id={name}
            name={name}
            accept={accepted(rule)}
            aria-labelledby={`${id}-label ${id}-button`}
            aria-describedby={described}
            aria-invalid={Boolean(error)}
            onClick={keepTyped}
            onChange={(event) => void take(event.currentTarget.files?.[0])}
          />
          <label className="button" htmlFor={name} id={`${id}-button`}>
            <IconUpload size={18} aria-hidden /> {file || stored ? t`Choose another file` : t`Choose a file`}
          </label>
          {file && (
            <button
              type="button"
              className="quiet-button"
              aria-label={t`Remove ${words}`}
              onClick={() => choose(name, undefined)}
            >
              <Trans>Remove</Trans>
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

function Preview({ file, stored, words }: { file: File | undefined; stored: string | undefined; words: string }) {
  const { t } = useLingui();
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!file?.type.startsWith('image/')) return setAddress(undefined);
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);

  if (file && address) return <img className="thumb" src={address} alt={t`Preview of the ${words} you chose`} />;
  if (!file && stored) return <img className="thumb" src={stored} alt={t`The ${words} you uploaded`} />;
  return (
    <span className="thumb thumb-empty" aria-hidden>
      <IconFile size={28} />
    </span>
  );
}

import { Trans, useLingui } from '@lingui/react/macro';
import IconArrowsMinimize from '@tabler/icons-react/dist/esm/icons/IconArrowsMinimize.mjs';
import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs';
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { type ChangeEvent, type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { accepted, canShrink, headBytes, refusal, type UploadRule, uploadMessages } from '#kit/contract/uploads.ts';
import { useApiForm } from './ApiForm.tsx';
import { ErrorText, Hint } from './question.tsx';
import { showSize } from './show.ts';
import { isSlowToSend, shrink } from './shrink.ts';
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

/**
 * Takes a photo or a file, says at once what is wrong with it, offers to make a picture smaller that is too large, and
 * shows what will be sent. Both inputs stay native, for everyone (admission.md 1.1).
 */
export function UploadField({ name, hint, stored, label }: Props) {
  const { t } = useLingui();
  const { endpoint, files, errors, keepTyped, choose } = useApiForm();
  const rule = endpoint.files?.[name];
  if (!rule) throw new Error(`${name} is no file of ${endpoint.path}.`);
  const words = said(label ?? rule.label);
  const id = useId();
  const { take, makeSmaller, isShrinking, tooLarge } = useTaking(name, rule);
  const file = files[name];
  const error = errors[name];
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

  const takeFrom = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = input.files ?? [];
    input.value = ''; // So that the same file can be chosen again.
    if (chosen) void take(chosen);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault(); // Or the browser would leave the page to show the file.
    const [dropped] = event.dataTransfer.files;
    if (dropped) void take(dropped);
  };
  return (
    <fieldset className={`question${error ? ' question-wrong' : ''}`}>
      <legend id={`${id}-label`}>{words}</legend>
      <Hint id={`${id}-hint`}>{hint}</Hint>
      <ErrorText id={`${id}-error`} error={error} />
      {tooLarge && error && (
        <button type="button" className="button upload-smaller" onClick={() => void makeSmaller(tooLarge)}>
          <IconArrowsMinimize size={18} aria-hidden /> <Trans>Make it smaller for me</Trans>
        </button>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is for who has a mouse; the buttons do the same. */}
      <div className="upload" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <Preview file={file} stored={stored} words={words} />
        <div className="upload-side">
          <p className="upload-name" role="status">
            {isShrinking ? (
              <Trans>Making it smaller</Trans>
            ) : file ? (
              <>
                <b>{file.name}</b> <span>{showSize(file.size)}</span>
              </>
            ) : (
              stored && <Trans>Uploaded</Trans>
            )}
          </p>
          <div className="upload-buttons">
            <span className="upload-button upload-camera">
              <input
                type="file"
                id={`${id}-camera`}
                accept="image/*"
                capture="environment"
                aria-labelledby={`${id}-camera-button ${id}-label`}
                onClick={keepTyped}
                onChange={takeFrom}
              />
              <label className="button" htmlFor={`${id}-camera`} id={`${id}-camera-button`}>
                <IconCamera size={18} aria-hidden /> <Trans>Take a photo</Trans>
              </label>
            </span>
            <span className="upload-button">
              <input
                type="file"
                id={name}
                name={name}
                accept={accepted(rule)}
                aria-labelledby={`${id}-button ${id}-label`}
                aria-describedby={described}
                aria-invalid={Boolean(error)}
                onClick={keepTyped}
                onChange={takeFrom}
              />
              <label className="button" htmlFor={name} id={`${id}-button`}>
                <IconUpload size={18} aria-hidden /> {file || stored ? t`Choose another file` : t`Choose a file`}
              </label>
            </span>
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
    </fieldset>
  );
}

/** Takes what was chosen into the form, or says why not. */
function useTaking(name: string, rule: UploadRule) {
  const { choose } = useApiForm();
  const toast = useToast();
  const [tooLarge, setTooLarge] = useState<File>();
  const [isShrinking, setShrinking] = useState(false);
  /** The last choice wins, also where making an earlier one smaller takes longer. */
  const latest = useRef<File>(undefined);

  const refuse = (message: string) => {
    choose(name, undefined, message);
    toast({ kind: 'warning', title: said(message) });
  };
  const smaller = async (file: File) => {
    setShrinking(true);
    const made = await shrink(file, rule).catch(() => undefined); // No worker is no picture.
    if (latest.current !== file) return;
    setShrinking(false);
    return { made };
  };
  const take = async (file: File) => {
    latest.current = file;
    setShrinking(false);
    const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
    const refused = refusal(rule, { name: file.name, size: file.size, head });
    if (latest.current !== file) return;
    setTooLarge(refused === rule.tooLarge && canShrink(rule, head) ? file : undefined);
    if (refused) return refuse(refused);
    choose(name, file);
    if (!isSlowToSend(file) || !canShrink(rule, head)) return;
    const { made } = (await smaller(file)) ?? {};
    if (made && made.size < file.size) choose(name, made);
  };
  const makeSmaller = async (file: File) => {
    latest.current = file;
    const outcome = await smaller(file);
    if (!outcome) return;
    setTooLarge(undefined);
    if (outcome.made) choose(name, outcome.made);
    else refuse(uploadMessages.notSmaller);
  };
  return { take, makeSmaller, isShrinking, tooLarge };
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

import { Trans, useLingui } from '@lingui/react/macro';
import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs';
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { type ChangeEvent, type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button, ButtonLabel } from '#kit/browser/ui/Button.tsx';
import { showSize } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { isSame, type Text } from '#kit/contract/text.ts';
import { accepted, canShrink, headBytes, refusal, type UploadRule, uploadMessages } from '#kit/contract/uploads.ts';
import { useApiForm } from './form-context.ts';
import { ErrorText, Hint, Note } from './question.tsx';
import { isSlowToSend } from './slow-line.ts';
import styles from './UploadField.module.css';

/** Fetched once a picture is too large; without it, or without a worker, there is no smaller one. */
const shrink = (file: File, rule: UploadRule) =>
  import('./shrink.ts').then((loaded) => loaded.shrink(file, rule)).catch(() => undefined);

interface Props {
  name: string;
  hint?: ReactNode;
  /** The address of the stored file, if there is one. */
  stored?: string;
  /** Replaces the contract's label. */
  label?: Text;
  /** The heading above says the label already: it is read aloud only. */
  isHeaded?: boolean;
}

/**
 * Takes a photo or a file, reports problems at once, offers to shrink pictures that are too large, and shows what will
 * be sent. Both inputs stay native, for accessibility.
 */
export function UploadField({ name, hint, stored, label, isHeaded }: Props) {
  const { t } = useLingui();
  const { endpoint, files, errors, notes, saveDraft } = useApiForm();
  const rule = endpoint.files?.[name];
  if (!rule) throw new Error(`${name} is no file of ${endpoint.path}.`);
  const words = translate(label ?? rule.label);
  const id = useId();
  const { take, makeSmaller, remove, isShrinking, tooLarge } = useTaking(name, rule);
  const file = files[name];
  const error = errors[name];
  const note = notes[name];
  // If the connection was too slow, a smaller picture may succeed.
  const shrinkable = isSame(error, uploadMessages.failed) && file?.type.startsWith('image/') ? file : error && tooLarge;
  const described =
    [hint && `${id}-hint`, note && `${id}-note`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;

  const takeFrom = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = input.files ?? [];
    input.value = ''; // So that the same file can be chosen again.
    if (chosen) void take(chosen);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault(); // Otherwise the browser would open the file.
    const [dropped] = event.dataTransfer.files;
    if (dropped) void take(dropped);
  };
  return (
    <fieldset className={`question${error ? ' question-wrong' : ''}`} aria-describedby={described}>
      <legend id={`${id}-label`}>{isHeaded ? <VisuallyHidden>{words}</VisuallyHidden> : words}</legend>
      <Hint id={`${id}-hint`}>{hint}</Hint>
      <Note id={`${id}-note`} note={note} />
      <ErrorText id={`${id}-error`} error={error} />
      {shrinkable && (
        <Button isBusy={isShrinking} className={styles.smaller} onClick={() => void makeSmaller(shrinkable)}>
          <Trans>Make it smaller for me</Trans>
        </Button>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is for who has a mouse; the buttons do the same. */}
      <div className={styles.upload} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <Preview file={file} stored={stored} words={words} />
        <div className={styles.side}>
          <p className={styles.name} role="status">
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
          <div className={styles.buttons}>
            <span className={`${styles.button} ${styles.camera}`}>
              <input
                type="file"
                id={`${id}-camera`}
                accept="image/*"
                capture="environment"
                aria-labelledby={`${id}-camera-button ${id}-label`}
                onClick={saveDraft}
                onChange={takeFrom}
              />
              <ButtonLabel htmlFor={`${id}-camera`} id={`${id}-camera-button`}>
                <IconCamera size={18} aria-hidden /> <Trans>Take a photo</Trans>
              </ButtonLabel>
            </span>
            <span className={styles.button}>
              <input
                type="file"
                id={name}
                name={name}
                accept={accepted(rule)}
                aria-labelledby={`${id}-button ${id}-label`}
                aria-invalid={Boolean(error)}
                onClick={saveDraft}
                onChange={takeFrom}
              />
              <ButtonLabel htmlFor={name} id={`${id}-button`}>
                <IconUpload size={18} aria-hidden /> {file || stored ? t`Choose another file` : t`Choose a file`}
              </ButtonLabel>
            </span>
            {file && (
              <Button kind="quiet" edge="start" aria-label={t`Remove ${words}`} onClick={remove}>
                <Trans>Remove</Trans>
              </Button>
            )}
          </div>
        </div>
      </div>
    </fieldset>
  );
}

/** Adds the chosen file to the form, or shows why it is refused. */
function useTaking(name: string, rule: UploadRule) {
  const { files, choose } = useApiForm();
  const toast = useToast();
  const [tooLarge, setTooLarge] = useState<File>();
  const [isShrinking, setShrinking] = useState(false);
  /** The latest choice, and the form's file: a late result must still match both. */
  const latest = useRef<File>(undefined);
  const held = useRef<File>(undefined);
  held.current = files[name];
  useEffect(
    () => () => {
      latest.current = undefined;
    },
    [],
  );

  const refuse = (message: Text) => {
    choose(name, undefined, message);
    toast({ kind: 'warning', title: translate(message) });
  };
  const take = async (file: File) => {
    latest.current = file;
    setShrinking(false);
    const bytes = await file
      .slice(0, headBytes)
      .arrayBuffer()
      .catch(() => undefined);
    if (latest.current !== file) return;
    const head = new Uint8Array(bytes ?? []);
    const refused = bytes ? refusal(rule, { size: file.size, head }) : uploadMessages.damaged;
    setTooLarge(isSame(refused, rule.tooLarge) && canShrink(rule, head) ? file : undefined);
    if (refused) return refuse(refused);
    choose(name, file);
    if (!isSlowToSend(file) || !canShrink(rule, head)) return;
    setShrinking(true);
    const made = await shrink(file, rule); // Without a worker the file is sent unchanged.
    if (latest.current !== file) return;
    setShrinking(false);
    if (made && made.size < file.size && held.current === file) choose(name, made);
  };
  const makeSmaller = async (file: File) => {
    if (isShrinking) return;
    latest.current = file;
    setShrinking(true);
    const made = await shrink(file, rule);
    if (latest.current !== file) return;
    setShrinking(false);
    setTooLarge(undefined);
    if (made) choose(name, made);
    else refuse(uploadMessages.notSmaller);
    document.getElementById(name)?.focus();
  };
  const remove = () => {
    latest.current = undefined;
    setShrinking(false);
    choose(name, undefined);
    document.getElementById(name)?.focus();
  };
  return { take, makeSmaller, remove, isShrinking, tooLarge };
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

  if (file && address) return <img className="thumb" src={address} alt={t`${words}, preview`} />;
  if (!file && stored) return <img className="thumb" src={stored} alt={t`${words}, uploaded`} />;
  return (
    <span className={`thumb ${styles.empty}`} aria-hidden>
      <IconFile size={28} />
    </span>
  );
}

import { Plural, Trans, useLingui } from '@lingui/react/macro';
import IconCamera from '@tabler/icons-react/dist/esm/icons/IconCamera.mjs';
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs';
import { type ChangeEvent, type Dispatch, type SetStateAction, useId, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button, ButtonLabel } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showSize } from '#kit/browser/ui/show.ts';
import { accepted } from '#kit/contract/uploads.ts';
import { homeworkFile } from '../contract/file.ts';
import { mostFiles } from '../contract/words.ts';
import styles from './FilesField.module.css';
import { type Refused, takeFiles } from './take-files.ts';

interface Props {
  files: readonly File[];
  onChange: Dispatch<SetStateAction<readonly File[]>>;
  /** Whether photos are being made smaller, so that the form waits for them. */
  onTaking: (isTaking: boolean) => void;
  /** How many the homework has already. */
  had?: number;
}

/** Takes photos and files, several at once; photos are made smaller here, so that they leave on a slow line. */
export function FilesField({ files, onChange, onTaking, had = 0 }: Props) {
  const { t } = useLingui();
  const id = useId();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [isTaking, setTaking] = useState(false);
  const room = mostFiles - had - files.length;
  const takeFrom = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(input.files ?? [])];
    input.value = ''; // So that the same file can be chosen again.
    setTaking(true);
    onTaking(true);
    const found = await takeFiles(chosen, { rule: homeworkFile, room });
    setTaking(false);
    onTaking(false);
    setRefused(found.refused);
    onChange((before) => [...before, ...found.taken]);
  };
  return (
    <fieldset className="question">
      <legend>
        <Trans>Photos and files</Trans>
      </legend>
      <p className="soft">
        <Trans>At most {mostFiles}: JPG, PNG or PDF.</Trans>
      </p>
      <Row gap={8} wrap>
        <span className={`${styles.input} ${styles.camera}`}>
          <input
            type="file"
            id={`${id}-camera`}
            accept="image/*"
            capture="environment"
            disabled={room <= 0 || isTaking}
            onChange={(event) => void takeFrom(event)}
          />
          <ButtonLabel htmlFor={`${id}-camera`}>
            <IconCamera size={18} aria-hidden /> <Trans>Take a photo</Trans>
          </ButtonLabel>
        </span>
        <span className={styles.input}>
          <input
            type="file"
            id={`${id}-files`}
            multiple
            accept={accepted(homeworkFile)}
            disabled={room <= 0 || isTaking}
            onChange={(event) => void takeFrom(event)}
          />
          <ButtonLabel htmlFor={`${id}-files`}>
            <IconUpload size={18} aria-hidden /> <Trans>Choose files</Trans>
          </ButtonLabel>
        </span>
      </Row>
      <div aria-live="polite">
        {isTaking && <Trans>Making it smaller</Trans>}
        {files.length > 0 && (
          <ul className={styles.files}>
            {files.map((file, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two photos may have one name.
              <li key={`${file.name} ${place}`}>
                {file.name} <span className="soft">{showSize(file.size)}</span>{' '}
                <Button
                  kind="quiet"
                  aria-label={t`Remove ${file.name}`}
                  onClick={() => onChange((before) => before.filter((one) => one !== file))}
                >
                  <Trans>Remove</Trans>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {refused.length > 0 && (
          <Notice as="div" kind="bad">
            <p>
              <Plural value={refused.length} one="# file was not taken:" other="# files were not taken:" />
            </p>
            <ul>
              {refused.map(({ name, reason }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two photos may have one name.
                <li key={`${name} ${place}`}>
                  {name}: {translate(reason)}
                </li>
              ))}
            </ul>
          </Notice>
        )}
      </div>
    </fieldset>
  );
}

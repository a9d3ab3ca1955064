import type { ReactNode } from 'react';
import { ShownForm } from '#kit/browser/gallery/ShownForm.tsx';
import { longWords, type Section } from '#kit/browser/gallery/section.tsx';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import { megabyte, type UploadRule, uploadMessages } from '#kit/contract/uploads.ts';
import type { FormContext } from './form-context.ts';
import { UploadField } from './UploadField.tsx';
import { CancelUpload, UploadProgress, UploadStatus } from './UploadProgress.tsx';

const picture: UploadRule = {
  label: text`Picture of the tree`,
  kinds: ['png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PNG, JPG or JPEG picture.`,
  tooLarge: text`File size exceeds 2MB`,
};

const pixel = Uint8Array.from(
  atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='),
  (character) => character.charCodeAt(0),
);
const chosen = new File([pixel], 'oak.png', { type: 'image/png' });
const longNamed = new File([pixel], `${longWords}.png`, { type: 'image/png' });

interface State {
  file?: File;
  error?: Text;
  stored?: string;
  hint?: string;
}

const upload = (name: string, { file, error, ...props }: State = {}) => (
  <ShownForm uploads={{ [name]: picture }} files={file ? { [name]: file } : {}} errors={error ? { [name]: error } : {}}>
    <UploadField name={name} {...props} />
  </ShownForm>
);

export const uploadField: Section = {
  name: 'UploadField',
  states: {
    Empty: upload('uploadEmpty', { hint: 'PNG or JPEG, at most 2 MB' }),
    Chosen: upload('uploadChosen', { file: chosen }),
    Stored: upload('uploadStored', { stored: '/icon.svg' }),
    'Wrong kind': upload('uploadWrong', { error: picture.wrongType }),
    'Not sent, and may be made smaller': upload('uploadFailed', { file: chosen, error: uploadMessages.failed }),
    'Long words': upload('uploadWords', { file: longNamed, hint: longWords, error: verbatim(longWords) }),
  },
};

const cancel = () => undefined;
const way = (state: FormContext['upload'], shown: ReactNode) => <ShownForm upload={state}>{shown}</ShownForm>;

export const uploadProgress: Section = {
  name: 'UploadProgress',
  states: {
    'On its way': way({ kind: 'sending', percent: 40, cancel }, <UploadStatus />),
    'Sent, and not answered yet': way({ kind: 'sending', percent: 100, cancel }, <UploadStatus />),
    'Without a connection': way({ kind: 'sending', percent: undefined, cancel }, <UploadStatus />),
    Cancelled: way({ kind: 'cancelled' }, <UploadStatus />),
    'In a line, with the button that ends it': way(
      { kind: 'sending', percent: 40, cancel },
      <div className="list-buttons">
        <UploadProgress />
        <CancelUpload />
      </div>,
    ),
  },
};

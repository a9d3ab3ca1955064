import * as z from 'zod/mini';
import type { Preview } from '#kit/browser/data/preview.tsx';
import { Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { endpoint } from '#kit/contract/endpoint.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { PreviewDialog } from './PreviewDialog.tsx';

const move = endpoint({
  method: 'POST',
  path: '/kit/move',
  access: 'public',
  input: z.object({ confirmToken }),
  output: previewed({ moved: z.number() }),
});

type Shown = Pick<Preview<typeof move>, 'problem' | 'close'> & { token: string | null };

/** A preview whose act is never applied. */
const preview = ({ token, ...shown }: Shown): Preview<typeof move> => ({
  ...shown,
  shown: { input: {}, answer: { moved: 3, isApplied: false, confirmToken: token } },
  isBusy: false,
  data: undefined,
  show: async () => undefined,
  take: () => undefined,
  apply: async () => undefined,
  forget: () => undefined,
});

const dialog = (shown: Shown, details: string) => (
  <PreviewDialog
    preview={preview(shown)}
    title="Move three trees?"
    details={<p>{details}</p>}
    confirm="Move 3"
    onApplied={() => undefined}
  >
    They keep their numbers.
  </PreviewDialog>
);

export const previewDialog: Section = {
  name: 'PreviewDialog',
  states: {
    'To be applied': (
      <Opener words="Preview a move">
        {(close) => dialog({ token: 'token', problem: null, close }, 'Oak, Elm and Ash go to the north side.')}
      </Opener>
    ),
    'Nothing can be applied': (
      <Opener words="Preview a refused move">
        {(close) => dialog({ token: null, problem: null, close }, 'The north side is full.')}
      </Opener>
    ),
    'Out of date': (
      <Opener words="Preview a late move">
        {(close) =>
          dialog(
            {
              token: 'token',
              problem: (
                <p role="alert" className="error">
                  The data has changed since the preview. Check the new preview.
                </p>
              ),
              close,
            },
            'Oak and Elm go to the north side.',
          )
        }
      </Opener>
    ),
  },
};

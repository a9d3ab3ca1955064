import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import type { AppError } from '#kit/contract/errors.ts';
import { type FormPath, formPaths } from '../contract/pages.ts';
import { forgetInquiry, getOpenInquiry, noteSaved } from './inquiry-state.ts';
import { nextOpen } from './open-steps.ts';
import { useReload } from './page-data.ts';
import { hashOfChecked, isChange, plainSearch } from './way-back.ts';

/** Navigates after a save, and away from a form that was submitted elsewhere. */
export function useFormEnd() {
  const navigate = usePageNavigate();
  const reload = useReload();
  const leave = async () => {
    forgetInquiry();
    await reload();
    window.scrollTo(0, 0); // The same address shows another page now.
  };
  return {
    /** To the next open page, or back to "Check your answers" if the reader came from there. */
    goTo: async (next: FormPath) => {
      noteSaved(formPaths.indexOf(next)); // The step before it.
      const { search, hash } = window.location;
      if (isChange(search)) {
        return navigate({ to: '/admission4', hash: hashOfChecked(hash.slice(1)), search: plainSearch });
      }
      const { correction } = await getOpenInquiry();
      return navigate({ to: nextOpen(correction, next), search: plainSearch });
    },
    leave,
    onRefused: ({ code }: AppError) => {
      if (code === 'already_submitted' || code === 'consent_required') void leave();
    },
  };
}

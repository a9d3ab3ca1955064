import { useNavigate, useRouter } from '@tanstack/react-router';
import type { AppError } from '#kit/contract/errors.ts';
import { forgetInquiry } from './inquiry-state.ts';
import { hashOfChecked, isChange, plainSearch } from './way-back.ts';

/** The way on after a save, and out of a form that was meanwhile handed in elsewhere. */
export function useFormEnd() {
  const navigate = useNavigate();
  const router = useRouter();
  const leave = async () => {
    forgetInquiry();
    await router.invalidate();
    window.scrollTo(0, 0); // Another page stands at the same address now.
  };
  return {
    /** To the next page, or back to "Check your answers" if that was where the reader came from. */
    goTo: (next: string) => {
      const { search, hash } = window.location;
      const back = { to: '/admission4', hash: hashOfChecked(hash.slice(1)) };
      return navigate({ ...(isChange(search) ? back : { to: next }), search: plainSearch } as never);
    },
    leave,
    onRefused: ({ code }: AppError) => {
      if (code === 'already_submitted' || code === 'consent_required') void leave();
    },
  };
}

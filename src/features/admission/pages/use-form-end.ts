import { useNavigate, useRouter } from '@tanstack/react-router';
import type { AppError } from '#kit/contract/errors.ts';
import { forgetInquiry } from './inquiry-state.ts';

/** The way on after a save, and out of a form that was meanwhile handed in elsewhere. */
export function useFormEnd() {
  const navigate = useNavigate();
  const router = useRouter();
  const leave = async () => {
    forgetInquiry();
    await router.invalidate();
  };
  return {
    goTo: (to: string) => navigate({ to, search: true } as never),
    leave,
    onRefused: ({ code }: AppError) => {
      if (code === 'already_submitted' || code === 'consent_required') void leave();
    },
  };
}

import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { memberApi } from '../contract/member.ts';

/** Makes a student a member of the first planted club. */
export function JoinClub({ record: { id, name } }: { record: { id: number; name: string } }) {
  const show = useToast();
  const { run: join } = useAction(memberApi.join);
  const { run: leave } = useAction(memberApi.leave);
  const club = { clubId: 1, studentId: id };
  const press = async () => {
    const { told } = await join(club);
    show({
      kind: 'success',
      title: t`Joined a planted club.`,
      of: name,
      text: told,
      actions: [
        { label: t`Undo`, act: () => void leave(club) },
        { label: t`Join again`, act: () => void join(club) },
      ],
    });
  };
  return (
    <Button onClick={press}>
      <Trans>Planted clubs of {name}</Trans>
    </Button>
  );
}

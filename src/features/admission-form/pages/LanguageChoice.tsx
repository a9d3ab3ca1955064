import { LanguageSwitch } from '#features/school/ui/LanguageSwitch.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { pageLanguageApi } from '../contract/page-language.ts';

/** The languages of the form. The choice is kept on the device, and with the family's inquiry where its link opens one. */
export function LanguageChoice() {
  const { run } = useAction(pageLanguageApi.choose, { onRefused: () => undefined });
  return <LanguageSwitch onChosen={(language) => currentLink() && void run({ language })} />;
}

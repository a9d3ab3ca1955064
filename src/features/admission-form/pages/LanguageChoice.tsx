import { LanguageSwitch } from '#features/school/ui/LanguageSwitch.tsx';
import { sendLanguage } from './reader-language.ts';

/** The languages of the form. The choice is kept on the device, and with the family's inquiry where its link opens one. */
export const LanguageChoice = () => <LanguageSwitch onChosen={(language) => void sendLanguage(language)} />;

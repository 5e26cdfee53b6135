import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { english, type Language } from './language.js';

/** The language of the page or mail that is rendered. */
export const LanguageContext = createContext<Language>(english);

/** The language of the page or mail that a component is in. */
export const useLanguage = (): Language => useContext(LanguageContext);

import { render } from "preact";
import { HomePage } from "./view/home-page.tsx";

const page = document.getElementById("page");
if (page !== null) render(<HomePage />, page);

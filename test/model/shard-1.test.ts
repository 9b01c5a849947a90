import { runModel } from "./run-model.ts";

runModel(1);

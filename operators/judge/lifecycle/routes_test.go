package lifecycle

import "dustbuster/internal/planted"

// routes are GET routes that change something.
var routes = planted.Routes
